package dev.sluice.samples.web;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** Drives one connection by readiness: goes on with it until the socket would make it wait, or others have waited. */
final class ReactiveHandler extends ServiceHandler implements Connections.Finishing, DeadlineSweep.Expiring {

    /** Steps in a row; the longest one sends a piece of a file. */
    private static final int FAIR_SHARE = 16;

    private final Map<Reactor, ReactiveLoop> loops;
    private ReactiveLoop loop;
    private HttpConnection connection;
    private int awaited;
    /** What has been received and not been taken; null if there is nothing. */
    private ByteBuffer rest;
    /** Whether the last receive of this turn has left the socket empty. */
    private boolean emptied;

    ReactiveHandler(Map<Reactor, ReactiveLoop> loops) {
        this.loops = loops;
    }

    @Override
    protected void open() throws IOException {
        loop = loops.get(reactor());
        connection = loop.newConnection(peer());
        awaited = EventType.READ;
        reactor().registerHandler(this, awaited);
        loop.add(this);
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        advance();
    }

    @Override
    public void handleOutput(Handle handle) throws IOException {
        advance();
    }

    private void advance() throws IOException {
        emptied = false;
        boolean more = true;
        for (int step = 0; more && step < FAIR_SHARE; step++) {
            more = step();
        }
        if (more) {
            giveWay();
        }
        keepRest();
    }

    /** Does what is next; tells whether there is more to do without waiting. */
    private boolean step() throws IOException {
        switch (connection.next()) {
            case RECEIVE -> {
                if (!receive()) {
                    await(EventType.READ);
                    return false;
                }
            }
            case SEND -> {
                if (!loop.sender().send(connection.transmission(), peer())) {
                    await(EventType.WRITE);
                    return false;
                }
                connection.sent();
            }
            case HALF_CLOSE -> {
                peer().shutdownOutput();
                connection.halfClosed();
            }
            case CLOSE -> {
                reactor().removeHandler(this);
                return false;
            }
        }
        return true;
    }

    /** Tells whether there is something to go on with. */
    private boolean receive() throws IOException {
        ByteBuffer in = rest;
        if (in == null) {
            if (emptied) {
                // Another look would cost a call for nothing.
                return false;
            }
            in = loop.buffer().clear();
            int received = peer().receive(in);
            if (received == SocketStream.END_OF_STREAM) {
                connection.endOfStream();
                return true;
            }
            if (received == 0) {
                connection.nothingThere();
                return connection.next() != HttpConnection.Next.RECEIVE;
            }
            emptied = in.hasRemaining() && !connection.isFinishing();
            in.flip();
        }
        connection.received(in);
        rest = in.hasRemaining() ? in : null;
        return true;
    }

    /** Requests that are pipelined behind a reply that has to wait; the others need the loop's buffer meanwhile. */
    private void keepRest() {
        if (rest == loop.buffer()) {
            rest = ByteBuffer.allocate(rest.remaining()).put(rest).flip();
        }
    }

    private void await(int events) {
        if (awaited != events) {
            awaited = events;
            reactor().changeEvents(handle(), events);
        }
    }

    /**
     * The others get their turn. What is left to do here may already be in this process, so it is readiness for output
     * that brings the next turn.
     */
    private void giveWay() {
        await(EventType.WRITE);
    }

    @Override
    public void finish() {
        connection.finish();
        if (connection.next() == HttpConnection.Next.RECEIVE) {
            advanceOrEnd();
        }
    }

    @Override
    public long deadline() {
        return connection.deadline();
    }

    @Override
    public void expire() {
        connection.expire();
        advanceOrEnd();
    }

    private void advanceOrEnd() {
        try {
            advance();
        } catch (IOException | RuntimeException e) {
            handleFailure(handle(), e);
            reactor().removeHandler(this);
        }
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        loop.logFailure(handle, cause);
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        connection.close();
        loop.remove(this);
    }
}
