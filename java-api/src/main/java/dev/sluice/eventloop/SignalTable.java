package dev.sluice.eventloop;

import dev.sluice.signal.SignalDispatch;
import dev.sluice.trace.DispatchTrace;
import java.util.ArrayList;
import java.util.List;

/** The signal handlers of one event loop. May be used by any thread. */
final class SignalTable {

    private final List<Subscription> subscriptions = new ArrayList<>();
    private boolean ended;

    private record Subscription(OsSignal signal, SignalHandler handler, Runnable receiver) {

        boolean is(OsSignal otherSignal, SignalHandler otherHandler) {
            return signal == otherSignal && handler == otherHandler;
        }
    }

    synchronized void add(EventLoop loop, OsSignal signal, SignalHandler handler) {
        if (ended) {
            throw loop.closedException();
        }
        if (contains(signal, handler)) {
            return;
        }
        Runnable receiver = () -> loop.enqueue(() -> dispatch(loop, signal, handler));
        SignalDispatch.subscribe(signal.name(), receiver);
        subscriptions.add(new Subscription(signal, handler, receiver));
    }

    synchronized void remove(OsSignal signal, SignalHandler handler) {
        subscriptions.removeIf(subscription -> {
            boolean found = subscription.is(signal, handler);
            if (found) {
                SignalDispatch.unsubscribe(signal.name(), subscription.receiver);
            }
            return found;
        });
    }

    /** Removes all handlers, and takes no more. */
    synchronized void end() {
        ended = true;
        for (Subscription subscription : subscriptions) {
            SignalDispatch.unsubscribe(subscription.signal.name(), subscription.receiver);
        }
        subscriptions.clear();
    }

    private synchronized boolean contains(OsSignal signal, SignalHandler handler) {
        return subscriptions.stream().anyMatch(subscription -> subscription.is(signal, handler));
    }

    private void dispatch(EventLoop loop, OsSignal signal, SignalHandler handler) {
        // The handler may have been removed while the signal was on its way through the queue.
        if (contains(signal, handler)) {
            try {
                handle(loop.trace().orElse(null), signal, handler);
            } catch (Throwable e) {
                loop.failed(handler, e);
            }
        }
    }

    private static void handle(DispatchTrace trace, OsSignal signal, SignalHandler handler) throws Exception {
        if (trace == null) {
            handler.handleSignal(signal);
            return;
        }
        trace.begin("handleSignal", handler, signal);
        try {
            handler.handleSignal(signal);
        } finally {
            trace.end();
        }
    }
}
