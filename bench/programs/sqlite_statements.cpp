//===-- sqlite_statements.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SQLite at work, for bench/foreign/sqlite.py: each thread has a database in
// memory, which it fills, asks, changes and empties. Regions: one statement.
//
// Statements are atomic only where threads share nothing but what is constant:
// of what the library has for all of them, a statement uses some more than
// once, and another thread's comes in between, which is no mistake. So its
// counters of memory and of pages are off, and so are journals, whose heads
// have numbers from a generator of random numbers.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <sqlite3.h>
#include <string>

namespace {

void must(bool Good, const char *What) {
  if (Good)
    return;
  fprintf(stderr, "sqlite_statements: %s\n", What);
  exit(1);
}

// A database of one thread, and the sum of all answers.
class Database {
public:
  Database() {
    must(sqlite3_open(":memory:", &Handle) == SQLITE_OK, "no database");
  }
  Database(const Database &) = delete;
  ~Database() { sqlite3_close(Handle); }

  void run(const std::string &Text) {
    OperationRegion Region("statement");
    sqlite3_stmt *Statement = prepare(Text);
    finish(Statement);
    sqlite3_finalize(Statement);
  }

  sqlite3_stmt *prepare(const std::string &Text) {
    sqlite3_stmt *Statement = nullptr;
    if (sqlite3_prepare_v2(Handle, Text.c_str(), -1, &Statement, nullptr))
      must(false, sqlite3_errmsg(Handle));
    return Statement;
  }

  // Takes all rows.
  void finish(sqlite3_stmt *Statement) {
    int Code;
    while ((Code = sqlite3_step(Statement)) == SQLITE_ROW)
      for (int I = 0; I < sqlite3_column_count(Statement); ++I)
        Sum = Sum * 31 + sqlite3_column_int64(Statement, I);
    must(Code == SQLITE_DONE, sqlite3_errmsg(Handle));
  }

  uint64_t Sum = 0;

private:
  sqlite3 *Handle = nullptr;
};

void insertRows(Database &Db, Random &Rng, uint64_t Rows) {
  Db.run("BEGIN");
  sqlite3_stmt *Insert =
      Db.prepare("INSERT INTO person(name, city, age) VALUES(?1, ?2, ?3)");
  for (uint64_t I = 0; I < Rows; ++I) {
    OperationRegion Region("insert");
    const std::string Name = "name-" + std::to_string(Rng.below(Rows * 4));
    sqlite3_bind_text(Insert, 1, Name.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(Insert, 2, int64_t(Rng.below(50)));
    sqlite3_bind_int64(Insert, 3, int64_t(Rng.below(90)));
    Db.finish(Insert);
    sqlite3_reset(Insert);
  }
  sqlite3_finalize(Insert);
  Db.run("COMMIT");
}

uint64_t work(unsigned Thread, uint64_t Rows) {
  Database Db;
  Random Rng(Thread + 1);
  Db.run("PRAGMA journal_mode = OFF");
  Db.run("CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, city INTEGER, "
         "age INTEGER)");
  Db.run("CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT)");
  for (int I = 0; I < 50; ++I)
    Db.run("INSERT INTO city VALUES(" + std::to_string(I) + ", 'city-" +
           std::to_string(I * 7 % 50) + "')");
  insertRows(Db, Rng, Rows);
  Db.run("CREATE INDEX by_name ON person(name)");
  for (uint64_t I = 0; I < Rows / 20; ++I) {
    const std::string Number = std::to_string(Rng.below(Rows) + 1);
    Db.run("SELECT p.age, c.id, length(p.name) FROM person p JOIN city c ON "
           "p.city = c.id WHERE p.id = " +
           Number);
    Db.run("UPDATE person SET age = age + 1 WHERE id = " + Number);
    Db.run("SELECT count(*), sum(id) FROM person WHERE name BETWEEN 'name-" +
           Number + "' AND 'name-" + Number + "9'");
    Db.run("DELETE FROM person WHERE id = " +
           std::to_string(Rng.below(Rows) + 1));
  }
  Db.run("SELECT c.name, count(*), max(p.age) FROM person p JOIN city c ON "
         "p.city = c.id GROUP BY c.name ORDER BY 2 DESC, 1");
  Db.run("SELECT count(*), sum(age) FROM person WHERE name LIKE '%7%'");
  return Db.Sum;
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  uint64_t Rows = argument(Argc, Argv, 2, "rows");

  must(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK, "no config");
  // Left to the threads, they would race for it: each looks without a lock
  // whether another one has done it.
  must(sqlite3_initialize() == SQLITE_OK, "the library does not start");
  std::vector<uint64_t> Results(Threads);
  runThreads(Threads, [&](unsigned Self) { Results[Self] = work(Self, Rows); });
  return finish("answers", Results);
}
