package dev.sluice.demultiplexer.spi;

import dev.sluice.handle.Handle;
import java.io.IOException;

/**
 * A handle's membership in the handle set of a demultiplexer. All methods may be called from any thread.
 */
public interface Membership {

    /** {@return the handle} */
    Handle handle();

    /** {@return the attachment that was passed to {@link SynchronousEventDemultiplexer#register}} */
    Object attachment();

    /** {@return the events that it is registered for, whether active or not; 0 once removed} */
    int events();

    /** {@return the events that waits report now: none while deactivated or once removed} */
    int activeEvents();

    /** {@return whether the membership has not been removed} */
    boolean isValid();

    /**
     * Replaces the events to wait for. A membership without events continues, but is not reported.
     *
     * @param events bits of {@link EventType#IO}, possibly 0
     * @throws IllegalArgumentException if there are other bits
     * @throws IllegalStateException    if the membership has been removed
     * @throws IOException              if the system call fails
     */
    void setEvents(int events) throws IOException;

    /**
     * Stops reporting the handle until {@link #activate()}, including errors and hang-ups. Does nothing if it is
     * already deactivated or removed.
     *
     * @throws IOException if the system call fails
     */
    void deactivate() throws IOException;

    /**
     * Ends {@link #deactivate()}; events that are ready by then are reported. Does nothing if it is active or removed.
     *
     * @throws IOException if the system call fails
     */
    void activate() throws IOException;

    /**
     * Makes a {@link Trigger#ONE_SHOT} set report the handle again after it has been reported; makes a
     * {@link Trigger#EDGE} set report it once more if it is still ready. While the membership is deactivated, this
     * takes effect when it is activated. Does nothing on a {@link Trigger#LEVEL} set, for a handle of a one-shot set
     * that has not been reported, or once the membership has been removed.
     *
     * @throws IOException if the system call fails
     */
    void rearm() throws IOException;

    /** Ends the membership and releases the handle. Does nothing if it is already removed. */
    void remove();
}
