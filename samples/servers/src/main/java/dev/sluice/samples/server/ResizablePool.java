package dev.sluice.samples.server;

/** Threads that serve connections which are nobody's own, so that there may be more or fewer of them at any time. */
public interface ResizablePool {

    /** {@return how many there are to be: some may still have to end what they are doing} */
    int threads();

    /**
     * {@return how many of them have something to do, and how much waits for one of them, as far as anybody knows; at a
     * glance, for any thread}
     */
    int busy();

    /** {@return whether a thread serves one connection until that ends, be it silent or not} */
    default boolean isHeldByClients() {
        return false;
    }

    /**
     * Changes their number. Those that are too many leave as soon as they have nothing to do; no connection notices.
     *
     * @param count how many there are to be, at least 1
     * @throws OutOfMemoryError if the system refuses a thread; then there are to be as many as before
     */
    void resize(int count);
}
