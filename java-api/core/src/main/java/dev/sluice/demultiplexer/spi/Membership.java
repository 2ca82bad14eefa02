package dev.sluice.demultiplexer.spi;

import dev.sluice.handle.Handle;
import java.io.IOException;

/**
 * A handle's membership in the handle set of a demultiplexer. All methods may be called from any thread.
 */
public interface Membership {

    /** {@return the handle} */
    Handle handle();

    /** {@return what the membership was made with} */
    Object attachment();

    /** {@return the events it is registered for, whether active or not; 0 once removed} */
    int events();

    /** {@return the events that are waited for now: none while deactivated or once removed} */
    int activeEvents();

    /** {@return whether the membership has not been removed} */
    boolean isValid();

    /**
     * Replaces the events to wait for. A membership without events stays and is silent.
     *
     * @param events bits of {@link EventType#IO}, perhaps 0
     * @throws IllegalArgumentException if there are other bits
     * @throws IllegalStateException    if the membership has been removed
     * @throws IOException              if the system refuses
     */
    void setEvents(int events) throws IOException;

    /**
     * Silences the handle until {@link #activate()}, errors and hang-ups included. Does nothing if it is silent or
     * removed.
     *
     * @throws IOException if the system refuses
     */
    void deactivate() throws IOException;

    /**
     * Ends {@link #deactivate()}; what is ready by then is reported. Does nothing if it is active or removed.
     *
     * @throws IOException if the system refuses
     */
    void activate() throws IOException;

    /**
     * On a {@link Trigger#ONE_SHOT} set, lets the handle be reported again after it was; on a {@link Trigger#EDGE} set,
     * has it reported once more if it is still ready. While the membership is deactivated, this takes effect when it
     * is activated. Does nothing on a {@link Trigger#LEVEL} set, for a handle of a one-shot set that has not been
     * reported, or once the membership has been removed.
     *
     * @throws IOException if the system refuses
     */
    void rearm() throws IOException;

    /** Ends the membership and releases the handle. Does nothing if it is already removed. */
    void remove();
}
