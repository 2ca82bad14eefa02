package dev.sluice.reactor;

/** What a hook throws because its script says so. */
final class Provoked {

    /** A checked one. */
    static final class ByException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** One that is not to be caught, as many think. */
    static final class ByError extends Error {
        private static final long serialVersionUID = 1L;
    }

    private Provoked() {
    }

    static boolean is(Throwable thrown) {
        return thrown instanceof ByException || thrown instanceof ByError;
    }
}
