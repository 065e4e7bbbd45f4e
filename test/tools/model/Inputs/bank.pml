/* docs/example/models/bank.model and, with FIXED, bank_fixed.model. Each of two
   processes has one transaction; before[i] says that i comes before the other. */
byte balance = 10;
bool held, did_read[2], did_write[2], before[2];

inline read(to) {
  atomic {
    to = balance;
    if :: did_write[1 - _pid] -> before[1 - _pid] = true :: else fi;
    did_read[_pid] = true;
    assert(!(before[0] && before[1]))
  }
}

inline write(value) {
  atomic {
    balance = value;
    if
    :: did_read[1 - _pid] || did_write[1 - _pid] -> before[1 - _pid] = true
    :: else
    fi;
    did_write[_pid] = true;
    assert(!(before[0] && before[1]))
  }
}

active [2] proctype Teller() {
  byte seen;
  atomic { !held -> held = true };
  read(seen);
#ifndef FIXED
  held = false;
  atomic { !held -> held = true };
#endif
  write(seen + 10);
  held = false
}
