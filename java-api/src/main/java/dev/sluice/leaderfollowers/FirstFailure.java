package dev.sluice.leaderfollowers;

/** For what has to be done to its end, whatever fails on the way: keeps the first failure, and the others with it. */
final class FirstFailure {

    private Throwable first;

    void during(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            if (first == null) {
                first = e;
            } else if (first != e) {
                first.addSuppressed(e);
            }
        }
    }

    boolean isThere() {
        return first != null;
    }

    /** Throws it, if there is one. */
    void rethrow() {
        if (first instanceof Error e) {
            throw e;
        }
        if (first instanceof RuntimeException e) {
            throw e;
        }
    }
}
