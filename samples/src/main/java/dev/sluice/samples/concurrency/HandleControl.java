package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import java.io.IOException;

/** What a session needs of whatever dispatches its events. */
interface HandleControl {

    /** Registers for {@link EventType#READ}. */
    void register(EventHandler handler) throws IOException;

    void changeEvents(Handle handle, int events);

    static HandleControl of(Reactor reactor) {
        return new HandleControl() {
            @Override
            public void register(EventHandler handler) throws IOException {
                reactor.registerHandler(handler, EventType.READ);
            }

            @Override
            public void changeEvents(Handle handle, int events) {
                reactor.changeEvents(handle, events);
            }
        };
    }

    static HandleControl of(HandleSetSource handleSet) {
        return new HandleControl() {
            @Override
            public void register(EventHandler handler) throws IOException {
                handleSet.registerHandler(handler, EventType.READ);
            }

            @Override
            public void changeEvents(Handle handle, int events) {
                handleSet.changeEvents(handle, events);
            }
        };
    }
}
