int counter;
int count(void) { return ++counter; }
