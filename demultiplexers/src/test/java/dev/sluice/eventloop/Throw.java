package dev.sluice.eventloop;

import java.io.IOException;

/** What hooks may throw, declared or not. */
public enum Throw {

    /** What a wrong recursion ends with, for real. */
    STACK_OVERFLOW {
        @Override
        public void run() {
            try {
                recurse(0);
            } catch (StackOverflowError e) {
                // Nobody wants to read a thousand lines of it in a log.
                e.setStackTrace(new StackTraceElement[0]);
                thrown = e;
                throw e;
            }
        }

        private int recurse(int depth) {
            return recurse(depth + 1) + 1;
        }
    },

    /** What a class that is missing ends with. */
    LINKAGE(new NoClassDefFoundError("wanted")),

    /** As the virtual machine throws it; whether there really is none left would be another test. */
    OUT_OF_MEMORY(new OutOfMemoryError("wanted")),

    /** A checked exception that nobody has declared, as other languages throw them. */
    SNEAKY(new IOException("wanted")),

    /** What is neither an exception nor an error. */
    BARE(new Throwable("wanted"));

    volatile Throwable thrown;

    Throw() {
    }

    Throw(Throwable thrown) {
        this.thrown = thrown;
        thrown.setStackTrace(new StackTraceElement[0]);
    }

    /** {@return what was thrown last} */
    public Throwable thrown() {
        return thrown;
    }

    /** Throws it. */
    public void run() {
        Throw.<RuntimeException>sneak(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
