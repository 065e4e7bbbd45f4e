_Static_assert(sizeof(NAME_OF_MACRO_59999) ==
                   sizeof("a \\ b 59999, longer than usual"),
               "the last macro arrived as it was written");
int instrumented = __SANITIZE_ATOMICITY__;
