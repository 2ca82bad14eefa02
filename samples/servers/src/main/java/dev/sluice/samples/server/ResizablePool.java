package dev.sluice.samples.server;

/** Threads that are not bound to connections, so that their number can change at any time. */
public interface ResizablePool {

    /** {@return how many there are to be: some may still have to end what they are doing} */
    int threads();

    /**
     * {@return the number of threads that are busy plus the amount of work that waits for one, as far as it is known;
     * approximate, for any thread}
     */
    int busy();

    /** {@return whether a thread serves one connection until that ends, be it silent or not} */
    default boolean isHeldByClients() {
        return false;
    }

    /**
     * Changes their number. Those that are too many leave as soon as they have nothing to do; no connection notices.
     *
     * @param count the number of threads, at least 1
     * @throws OutOfMemoryError if the system refuses a thread; then there are to be as many as before
     */
    void resize(int count);
}
