package dev.sluice.reactor;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;

/**
 * The single-method dispatch interface (Reactor paper, implementation activity 1.2), for handlers that are one
 * function. {@link EventHandler#of} makes an {@link EventHandler} of it.
 */
@FunctionalInterface
public interface SingleMethodHandler {

    /**
     * An event of one type.
     *
     * @param handle the one that the handler stands for
     * @param event  one bit of {@link EventType}
     * @param detail the token of a {@link EventType#TIMEOUT}, null for the others
     * @throws Exception whatever goes wrong
     */
    void handleEvent(Handle handle, int event, Object detail) throws Exception;
}
