package dev.sluice.demultiplexer;

/**
 * The handles that one wait found ready, in an object that is made once and reused: one for each thread that waits.
 * Comes from {@link SynchronousEventDemultiplexer#newReadyHandles} and works with that demultiplexer alone.
 */
public interface ReadyHandles extends AutoCloseable {

    /** {@return how many handles the last wait reported} */
    int size();

    /** {@return the most handles that one wait reports} */
    int capacity();

    /**
     * The registration of a ready handle.
     *
     * @param index 0 to {@link #size()} - 1
     * @return its registration
     */
    Registration registration(int index);

    /**
     * What a handle is ready for, as of now: without the events that it is no longer registered for, 0 if it has been
     * deactivated or removed since the wait.
     *
     * @param index 0 to {@link #size()} - 1
     * @return bits of {@link EventType#IO}
     */
    int events(int index);

    /** Forgets the handles, so that nothing keeps what was removed from being collected. */
    void clear();

    /** Gives back what the demultiplexer needed for it; no wait may be using it. */
    @Override
    void close();
}
