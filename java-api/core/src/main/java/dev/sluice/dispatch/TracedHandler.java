package dev.sluice.dispatch;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.trace.DispatchTrace;
import java.util.Objects;

/**
 * A Decorator that records the calls of another handler's hooks. Used only while dispatch is traced, so that there is
 * no overhead otherwise.
 */
public final class TracedHandler implements EventHandler {

    private final EventHandler handler;
    private final DispatchTrace trace;

    private TracedHandler(EventHandler handler, DispatchTrace trace) {
        this.handler = handler;
        this.trace = trace;
    }

    /**
     * Decorates a handler if its hooks are to be recorded.
     *
     * @param handler the handler
     * @param trace   the trace; null for none
     * @return the object to call the hooks on
     */
    public static EventHandler of(EventHandler handler, DispatchTrace trace) {
        Objects.requireNonNull(handler, "handler");
        return trace == null ? handler : new TracedHandler(handler, trace);
    }

    @Override
    public boolean drains() {
        return handler.drains();
    }

    @Override
    public boolean isConcurrent() {
        return handler.isConcurrent();
    }

    @Override
    public void handleInput(Registration registration) throws Exception {
        trace.begin("handleInput", handler, registration.handle());
        try {
            handler.handleInput(registration);
        } finally {
            trace.end();
        }
    }

    @Override
    public void handleOutput(Registration registration) throws Exception {
        trace.begin("handleOutput", handler, registration.handle());
        try {
            handler.handleOutput(registration);
        } finally {
            trace.end();
        }
    }

    @Override
    public void handleException(Registration registration) throws Exception {
        trace.begin("handleException", handler, registration.handle());
        try {
            handler.handleException(registration);
        } finally {
            trace.end();
        }
    }

    @Override
    public void handleIdle(Registration registration, Interest direction) throws Exception {
        trace.begin("handleIdle", handler, registration.handle());
        try {
            handler.handleIdle(registration, direction);
        } finally {
            trace.end();
        }
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        trace.begin("handleFailure", handler, registration.handle());
        try {
            handler.handleFailure(registration, cause);
        } finally {
            trace.end();
        }
    }

    @Override
    public void handleClose(Registration registration) throws Exception {
        trace.begin("handleClose", handler, registration.handle());
        try {
            handler.handleClose(registration);
        } finally {
            trace.end();
        }
    }

    @Override
    public String toString() {
        return handler.toString();
    }
}
