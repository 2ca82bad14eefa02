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
                // Keeps a thousand lines of it out of the log.
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
    LINKAGE(new NoClassDefFoundError("thrown by the test")),

    /** As the virtual machine throws it; whether there really is none left would be another test. */
    OUT_OF_MEMORY(new OutOfMemoryError("thrown by the test")),

    /** An undeclared checked exception, as other languages throw them. */
    SNEAKY(new IOException("thrown by the test")),

    /** What is neither an exception nor an error. */
    BARE(new Throwable("thrown by the test"));

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
