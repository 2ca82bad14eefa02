package dev.sluice.samples.conversation;

import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Continues a conversation when its socket is ready, in a thread of an executor; the handle is deactivated until that
 * thread is done.
 */
final class HandedOverConnection extends ReadinessConnection {

    private final Executor executor;
    private final Runnable quantum = this::runHandedOver;
    /** The time at which the socket was found ready. Written before a quantum is handed over. */
    private long readySince;
    private boolean inQuantum;
    private boolean closed;

    HandedOverConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open, Executor executor) {
        super(conversations, open);
        this.executor = executor;
    }

    @Override
    void begin() {
        registration().interest(firstInterest());
    }

    @Override
    void ready() throws IOException {
        readySince = System.nanoTime();
        if (conversation().prepare()) {
            registration().pause();
            setInQuantum(true);
            try {
                executor.execute(quantum);
            } catch (Throwable e) {
                setInQuantum(false);
                throw e;
            }
        }
    }

    private synchronized void setInQuantum(boolean value) {
        inQuantum = value;
    }

    private void runHandedOver() {
        boolean proceeds = true;
        try {
            runQuantum(readySince);
        } catch (Throwable e) {
            handleFailure(registration(), e);
            proceeds = false;
        }
        if (endQuantum()) {
            endConversation();
            handOnIfLeaving();
        } else if (proceeds) {
            registration().resume();
        } else {
            registration().close();
        }
    }

    /** Returns whether the connection has been closed during the quantum. */
    private synchronized boolean endQuantum() {
        inQuantum = false;
        return closed;
    }

    @Override
    public void handleClose(Registration registration) {
        closePeer();
        if (isLast()) {
            endConversation();
            handOnIfLeaving();
        }
    }

    /** Returns whether no quantum is running, and none will be. */
    private synchronized boolean isLast() {
        closed = true;
        return !inQuantum;
    }
}
