package dev.sluice.samples.io;

import dev.sluice.samples.server.Connections;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.FileCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;

/**
 * Drives the protocol handler of one connection by the events of stages. It requests a packet when the previous one has
 * been consumed, so that pipelined octets stay with the client; and while its message is made by another thread, it
 * does nothing.
 *
 * <p>Several stages bring events of one connection, so it takes its lock for each. It never holds it while it has a
 * message made: that may run through other stages in the same thread.
 *
 * <p>The connection ends when it is closed, nothing is being sent or read, and no message is being made any more: until
 * then its memory is in use.
 */
final class StagedHandler implements Connections.Finishing {

    /** The maximum number of packets that may be in flight to it. */
    static final int PACKETS_AT_ONCE = 1;

    /** At the stop, what a client has sent before may still be on its way through proactor and queues. */
    private static final Duration LAST_LOOK = Duration.ofMillis(50);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final StagedLoop loop;
    private final AsyncConnection connection;
    private final ProtocolHandler protocol;
    private final StagedSender sender;
    private final SendTurn turn;
    /** What has not been taken of the last packet. */
    private ByteBuffer rest = NOTHING;
    private boolean isReceiving = true;
    private boolean endOfStream;
    private boolean looking;
    private boolean looked;
    private boolean paused;
    /** Whether the message is being made elsewhere. */
    private boolean awaiting;
    private boolean closed;
    /** Whether no event of the connection comes any more, other than of sends. */
    private boolean gone;
    /** Whether no event of a send comes any more either. */
    private boolean abandoned;
    private boolean released;

    StagedHandler(StagedLoop loop, AsyncConnection connection, ProtocolHandler protocol) {
        this.loop = loop;
        this.connection = connection;
        this.protocol = protocol;
        this.sender = new StagedSender(loop, connection, protocol.transmission(), this);
        this.turn = new SendTurn(this::resume);
        protocol.awaitedBy(this::made);
    }

    // What stages bring

    void received(ByteBuffer octets) {
        synchronized (this) {
            isReceiving = false;
            looked = false;
            rest = octets;
        }
        proceed();
    }

    void inputEnded() {
        synchronized (this) {
            endOfStream = true;
        }
        proceed();
    }

    void sent(IOException cause) {
        synchronized (this) {
            if (sender.ended(lost(cause))) {
                stepEnded();
            }
        }
        proceed();
    }

    /** Peers break connections all the time, which a send notices by some error or other. */
    private static IOException lost(IOException cause) {
        return cause == null ? null : (IOException) new ClosedChannelException().initCause(cause);
    }

    void read(FileCompletion completion) {
        synchronized (this) {
            if (sender.readEnded(completion) && !closed) {
                try {
                    sender.sendRead();
                } catch (IOException e) {
                    fail(e);
                }
            }
        }
        proceed();
    }

    private void stepEnded() {
        if (closed) {
            return;
        }
        try {
            sender.requireSuccess();
            protocol.sent();
            if (protocol.next() != ProtocolHandler.Next.SEND) {
                sender.endFile();
            }
        } catch (IOException | RuntimeException e) {
            fail(e);
        }
    }

    void gone(IOException cause) {
        synchronized (this) {
            gone = true;
            if (!closed && cause != null) {
                loop.logFailure(connection.stream().handle(), cause);
            }
            end();
        }
        proceed();
    }

    /** The stages have been stopped, and bring no event any more. */
    void abandon() {
        synchronized (this) {
            gone = true;
            abandoned = true;
            end();
        }
        proceed();
    }

    private void made() {
        synchronized (this) {
            awaiting = false;
            if (!closed) {
                try {
                    protocol.takeMessage();
                } catch (RuntimeException | Error e) {
                    fail(e);
                }
            }
        }
        proceed();
    }

    // Going on

    private void proceed() {
        if (advance()) {
            try {
                protocol.makeElsewhere();
            } catch (RuntimeException | Error e) {
                synchronized (this) {
                    awaiting = false;
                    fail(e);
                }
                advance();
            }
        }
    }

    /** Goes on as far as it can; returns whether a message has to be made elsewhere. */
    private synchronized boolean advance() {
        try {
            boolean more = true;
            while (more && !closed) {
                more = step();
            }
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        }
        releaseWhenIdle();
        boolean begins = !closed && !awaiting && protocol.next() == ProtocolHandler.Next.AWAIT;
        awaiting |= begins;
        return begins;
    }

    /** Does what is next; returns whether there is more to do before something comes. */
    private boolean step() throws IOException {
        switch (protocol.next()) {
            case RECEIVE -> {
                return receive();
            }
            case SEND -> {
                if (!sender.isBusy() && !paused) {
                    sendOrPause();
                }
                return false;
            }
            case AWAIT -> {
                return false;
            }
            case HALF_CLOSE -> {
                connection.stream().shutdownOutput();
                protocol.halfClosed();
                return true;
            }
            default -> {
                end();
                return false;
            }
        }
    }

    /** Returns whether there was something to go on with. */
    private boolean receive() throws IOException {
        if (rest.hasRemaining()) {
            protocol.received(rest);
            return true;
        }
        rest = NOTHING;
        if (endOfStream) {
            protocol.endOfStream();
            return true;
        }
        if (!isReceiving) {
            isReceiving = true;
            connection.requestPackets(PACKETS_AT_ONCE);
        }
        return !protocol.mayWait() && isLookOver();
    }

    private boolean isLookOver() {
        if (looked) {
            protocol.nothingThere();
            return protocol.next() != ProtocolHandler.Next.RECEIVE;
        }
        if (!looking) {
            looking = true;
            loop.proactor().schedule(token -> lookedAgain(), null, LAST_LOOK);
        }
        return false;
    }

    private void lookedAgain() {
        synchronized (this) {
            looking = false;
            looked = true;
        }
        proceed();
    }

    private void sendOrPause() throws IOException {
        long pause = protocol.transmission().throttle().pause();
        if (pause > 0) {
            paused = true;
            loop.proactor().schedule(token -> resume(), null, Duration.ofNanos(pause));
        } else if (loop.order() == null || turn.isMine()) {
            sender.begin();
        } else {
            // Set before, as the turn may come at once.
            paused = true;
            if (loop.order().mayBegin(turn, protocol.transmission().left())) {
                paused = false;
                sender.begin();
            }
        }
    }

    private void resume() {
        synchronized (this) {
            paused = false;
        }
        proceed();
    }

    // The end

    @Override
    public void finish() {
        synchronized (this) {
            protocol.finish();
        }
        proceed();
    }

    @Override
    public boolean isLate(long now) {
        return protocol.deadline() - now <= 0;
    }

    @Override
    public void expire() {
        synchronized (this) {
            // Unless something has been received since the sweep checked.
            if (!closed && isLate(System.nanoTime())) {
                try {
                    protocol.expire();
                } catch (IOException | RuntimeException e) {
                    fail(e);
                }
            }
        }
        proceed();
    }

    private void fail(Throwable cause) {
        loop.logFailure(connection.stream().handle(), cause);
        end();
    }

    private void end() {
        if (!closed) {
            closed = true;
            protocol.unwanted();
            connection.close();
        }
    }

    private void releaseWhenIdle() {
        if (closed && gone && !awaiting && (abandoned || !sender.isBusy()) && !released) {
            released = true;
            sender.endFile();
            protocol.close();
            loop.closed(connection, this);
        }
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
