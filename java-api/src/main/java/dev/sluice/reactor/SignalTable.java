package dev.sluice.reactor;

import java.util.ArrayList;
import java.util.List;

/** The signal handlers of one reactor. May be used by any thread. */
final class SignalTable {

    private final EventLoop loop;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private boolean ended;

    private record Subscription(OsSignal signal, EventHandler handler, Runnable receiver) {

        boolean is(OsSignal otherSignal, EventHandler otherHandler) {
            return signal == otherSignal && handler == otherHandler;
        }
    }

    SignalTable(EventLoop loop) {
        this.loop = loop;
    }

    synchronized void add(OsSignal signal, EventHandler handler) {
        if (ended) {
            throw EventLoop.closedException();
        }
        if (contains(signal, handler)) {
            return;
        }
        Runnable receiver = () -> loop.enqueue(() -> dispatch(signal, handler));
        SignalDispatch.subscribe(signal, receiver);
        subscriptions.add(new Subscription(signal, handler, receiver));
    }

    synchronized void remove(OsSignal signal, EventHandler handler) {
        subscriptions.removeIf(subscription -> {
            boolean found = subscription.is(signal, handler);
            if (found) {
                SignalDispatch.unsubscribe(signal, subscription.receiver);
            }
            return found;
        });
    }

    /** Removes all of them and takes no more. */
    synchronized void end() {
        ended = true;
        for (Subscription subscription : subscriptions) {
            SignalDispatch.unsubscribe(subscription.signal, subscription.receiver);
        }
        subscriptions.clear();
    }

    private synchronized boolean contains(OsSignal signal, EventHandler handler) {
        return subscriptions.stream().anyMatch(subscription -> subscription.is(signal, handler));
    }

    private void dispatch(OsSignal signal, EventHandler handler) {
        // The handler may have been removed while the signal was on its way through the queue.
        if (contains(signal, handler)) {
            try {
                handler.handleSignal(signal);
            } catch (Exception e) {
                handler.handleFailure(null, e);
            }
        }
    }
}
