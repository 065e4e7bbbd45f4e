/* docs/example/models/peterson.model and, with SWAPPED, peterson_broken.model. A
   process that is in the critical section while the other one has accessed the data
   in its own, still open one, is in a cycle with it as soon as both have come in
   between each other. A transaction that ends forgets what it did. */
bool wants[2], data, did_read[2], did_write[2], before[2];
byte turn;

inline over() {
  atomic {
    did_read[_pid] = false; did_write[_pid] = false;
    before[0] = false; before[1] = false
  }
}

inline check() { assert(!(before[0] && before[1])) }

active [2] proctype P() {
  bool seen;
  do
  ::
#ifdef SWAPPED
     turn = 1 - _pid;
     wants[_pid] = true;
#else
     wants[_pid] = true;
     turn = 1 - _pid;
#endif
     do
     :: !wants[1 - _pid] -> break
     :: wants[1 - _pid] ->
        if :: turn == _pid -> break :: turn != _pid fi
     od;
     atomic {
       seen = data;
       if :: did_write[1 - _pid] -> before[1 - _pid] = true :: else fi;
       did_read[_pid] = true;
       check()
     };
     atomic {
       data = 1 - seen;
       if
       :: did_read[1 - _pid] || did_write[1 - _pid] -> before[1 - _pid] = true
       :: else
       fi;
       did_write[_pid] = true;
       check()
     };
     over();
     wants[_pid] = false
  od
}
