package dev.sluice.samples.conversation;

import dev.sluice.handle.Handle;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Goes on with a conversation when its socket is ready, in a thread of the executor's choice; the handle is deactivated
 * until that thread is done.
 */
final class HandedOverConnection extends ReadinessConnection {

    private final Executor executor;
    private final Runnable turn = this::turn;
    /** When the socket was found ready. Written before a turn is handed over. */
    private long readySince;
    private boolean inTurn;
    private boolean closed;

    HandedOverConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open, Executor executor) {
        super(conversations, open);
        this.executor = executor;
    }

    @Override
    void begin() throws IOException {
        dispatcher().registerHandler(this, firstEvents());
    }

    @Override
    void ready() throws IOException {
        readySince = System.nanoTime();
        if (conversation().prepare()) {
            dispatcher().deactivateHandle(handle());
            setInTurn(true);
            try {
                executor.execute(turn);
            } catch (Throwable e) {
                setInTurn(false);
                throw e;
            }
        }
    }

    private synchronized void setInTurn(boolean value) {
        inTurn = value;
    }

    private void turn() {
        boolean goesOn = true;
        try {
            runQuantum(readySince);
        } catch (Throwable e) {
            handleFailure(handle(), e);
            goesOn = false;
        }
        if (endQuantum()) {
            endConversation();
        } else if (goesOn) {
            dispatcher().reactivateHandle(handle());
        } else {
            remove();
        }
    }

    /** Returns whether the connection has been closed during the quantum. */
    private synchronized boolean endQuantum() {
        inTurn = false;
        return closed;
    }

    @Override
    void changeEvents(int events) {
        dispatcher().changeEvents(handle(), events);
    }

    @Override
    void remove() {
        dispatcher().removeHandler(this);
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        if (isLast()) {
            endConversation();
        }
    }

    /** Returns whether no quantum is running, and none will be. */
    private synchronized boolean isLast() {
        closed = true;
        return !inTurn;
    }
}
