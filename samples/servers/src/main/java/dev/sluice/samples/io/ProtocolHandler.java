package dev.sluice.samples.io;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The protocol of one connection, JAWS's Protocol Handler: alternately receives requests and sends messages, until it
 * ends or times out. Its driver does what {@link #next()} returns, reports the result, and calls it again; the driver
 * may use readiness or completions. For one thread at a time.
 *
 * <p>A subclass defines the meaning of octets, and what follows a message. Its methods end by a call of one of {@link
 * #startSending()}, {@link #startSendingLast()}, {@link #receive(long)}, {@link #receiveUntil(long)}, {@link
 * #endOutput()}, {@link #endBoth()}, or of none of them if nothing changes.
 */
public abstract class ProtocolHandler implements Transfer, Closeable {

    /** The next action of the driver. */
    enum Next {
        /** Receive; tell {@link #received}, {@link #endOfStream()}, or {@link #nothingThere()}. */
        RECEIVE,
        /** Send of {@link #transmission()}; tell {@link #sent()} after each step. */
        SEND,
        /** Wait until the message is there: call {@link #makeElsewhere()}, and then {@link #takeMessage()}. */
        AWAIT,
        /** Close if {@link #closesAtOnce()}, or else shut the output down; tell {@link #halfClosed()}. */
        HALF_CLOSE,
        /** Close, with nothing more to tell. */
        CLOSE
    }

    /** A duration that never elapses and can be added to any time. */
    private static final long UNLIMITED = Long.MAX_VALUE / 2;
    /** What the {@link Throttle} takes for as fast as it can. */
    private static final long UNTHROTTLED = 0;
    /** More than a socket's buffers hold on both sides: who still sends then does not mean to read the reply. */
    private static final long MAX_DRAINED = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ProtocolHandler.class);

    /** False once the system has answered that it does not have the option. */
    private static volatile boolean canDelay = true;

    private final Transmission transmission;
    private Timeouts timeouts;
    private TransferFilters filters;
    private long rate;

    /** Null if there is none to ask. */
    private SocketStream peer;
    /** What the peer's system had acknowledged when it was asked last; -1 before. */
    private volatile long acknowledged = -1;
    private Next next = Next.RECEIVE;
    /** Written by the one thread, and by the one that has made a message for it; read by any. */
    private volatile long deadline;
    /** Whether messages that were held back are leaving, and since when. */
    private boolean leaving;
    private long leavingSince;
    private boolean closesAtOnce;
    /** True while the last segment waits for the end of the output. */
    private boolean delaysEnd;
    private boolean draining;
    private long drained;
    private boolean finishing;
    private boolean repliedLately;
    private Runnable driver;
    /** Written by the one thread, read by any. */
    private volatile boolean unwanted;

    /**
     * Creates the connection's state, which waits for a request.
     *
     * @param timeouts the timeouts for the client
     * @param traffic  says how files travel to it
     * @param filters  the filters of the output
     * @param message  what it sends: the same for all that it ever does
     */
    protected ProtocolHandler(Timeouts timeouts, FileTraffic traffic, TransferFilters filters, Message message) {
        this.transmission = new Transmission(message);
        adopt(timeouts, traffic, filters);
        receive(timeouts.idle());
    }

    // What the protocol says

    /**
     * Octets have come.
     *
     * @param in the octets; what is not taken is offered again when something is to be received again, before whatever
     *           comes later
     * @throws IOException if the connection is to be closed at once
     */
    protected abstract void take(ByteBuffer in) throws IOException;

    /**
     * Called when the message has been sent: releases it by {@link #endMessage()}, and decides what follows.
     *
     * @throws IOException if the connection is to be closed at once
     */
    protected abstract void messageSent() throws IOException;

    /**
     * Called when the time to receive a request has elapsed.
     *
     * @return whether a message about it is to be sent, after {@link #startSending()}; if not, the connection ends
     * @throws IOException if the connection is to be closed at once
     */
    protected abstract boolean refuseLate() throws IOException;

    /** Called when the connection is closed, possibly in the middle of a message. */
    protected abstract void closed();

    /**
     * Starts making the message elsewhere, after {@link #awaitMessage()}. The maker ends with {@link #messageMade()},
     * on any thread, perhaps before this returns. Called without any lock of the driver. By default there is no maker,
     * and this throws.
     */
    protected void makeElsewhere() {
        throw new UnsupportedOperationException(this + " makes its messages itself");
    }

    /** {@return whether the driver waits for messages that are made elsewhere, without a thread that waits} */
    protected final boolean mayAwaitMessage() {
        return driver != null;
    }

    /** The message is made elsewhere. Until it is there, the client is not to blame for any delay. */
    protected final void awaitMessage() {
        waitFor(Next.AWAIT, UNLIMITED);
    }

    /** The message that was {@linkplain #awaitMessage awaited} is there. Called once for each, by any thread. */
    protected final void messageMade() {
        // The next turn may have to wait until the client has read some of what went before.
        deadline = System.nanoTime() + timeouts.idle();
        driver.run();
    }

    /** What has been made elsewhere is there. Unless overridden, that is a message to be sent. */
    protected void messageTaken() {
        startSending();
    }

    /** {@return whether the connection has ended, so that making a message has become pointless} For any thread. */
    protected final boolean isUnwanted() {
        return unwanted;
    }

    /**
     * From the next message on, and for what is waited for from now on, other terms hold.
     *
     * @param newTimeouts the timeouts for the client
     * @param traffic     says how files travel to it
     * @param passed      the filters that what goes out passes
     */
    protected final void adopt(Timeouts newTimeouts, FileTraffic traffic, TransferFilters passed) {
        timeouts = newTimeouts;
        filters = passed;
        transmission.traffic(traffic);
    }

    /** Files travel this way, whatever the protocol says. Called before the first message. */
    final void alwaysBy(FileIo way) {
        transmission.alwaysBy(FileWays.of(way));
    }

    /** {@return how long it waits for its client} */
    protected final Timeouts timeouts() {
        return timeouts;
    }

    /** The message is there: sends it. */
    protected final void startSending() {
        rate = UNTHROTTLED;
        filters.begins(this);
        transmission.throttle().rate(rate);
        goOnSending();
    }

    /**
     * The message is there, and the last one: sends it. The end of the output leaves with its last octets, unless a
     * filter limits the rate: between two shares the system would delay the end of each, by 200 ms.
     */
    protected final void startSendingLast() {
        startSending();
        if (peer != null && canDelay && transmission.throttle().isOff()) {
            delayEnd();
        }
    }

    private void delayEnd() {
        try {
            peer.setOption(NativeSocketOptions.TCP_CORK, true);
            delaysEnd = true;
        } catch (IOException e) {
            if (e instanceof SystemCallException call && call.errorName().equals("ENOPROTOOPT")) {
                // Only Linux has it. Without this, each connection would cost a call and an exception.
                canDelay = false;
            }
            // If the connection is broken, the next call says so.
            LOG.debug("the end of {} leaves by itself", peer, e);
        }
    }

    private void goOnSending() {
        waitFor(Next.SEND, timeouts.idle());
    }

    /**
     * Receives.
     *
     * @param nanos how long to wait for that
     */
    protected final void receive(long nanos) {
        waitFor(Next.RECEIVE, nanos);
    }

    /**
     * Receives.
     *
     * @param latest when to wait no longer, on the scale of {@link System#nanoTime()}
     */
    protected final void receiveUntil(long latest) {
        next = Next.RECEIVE;
        if (!leaving) {
            deadline = latest;
        }
    }

    /**
     * The messages that were held back have left, and the time to receive begins to pass again. Unless overridden, that
     * is the time between two requests.
     *
     * @param paused how long they took, in nanoseconds; no time to receive has passed meanwhile
     */
    protected void resumeReceiving(long paused) {
        receive(timeouts.idle());
    }

    /** Nothing more is to be sent. What the client sends is dropped until it closes, too. */
    protected final void endOutput() {
        next = Next.HALF_CLOSE;
    }

    /** Nothing more is to be sent, and nothing will come: the connection is closed without waiting for the client. */
    protected final void endBoth() {
        next = Next.HALF_CLOSE;
        closesAtOnce = true;
    }

    /** {@return null, unless overridden} */
    @Override
    public String client() {
        return null;
    }

    /** {@return null, unless overridden} */
    @Override
    public AccessLog.Lines lines() {
        return null;
    }

    @Override
    public final void limitRate(long octetsPerSecond) {
        rate = rate == UNTHROTTLED ? octetsPerSecond : Math.min(rate, octetsPerSecond);
    }

    @Override
    public final long bodySent() {
        return transmission.bodySent();
    }

    /** The message has been sent, or as much of it as could be: tells the filters, before {@link #endMessage()}. */
    protected final void transferEnded() {
        filters.ended(this);
    }

    /** Lets go of the message, sent or not. */
    protected final void endMessage() {
        transmission.end();
    }

    // What its driver asks and tells

    final Next next() {
        return next;
    }

    /** {@return when to call {@link #expire()}, on the scale of {@link System#nanoTime()}} For any thread. */
    final long deadline() {
        return deadline;
    }

    /** {@return what to send} */
    final Transmission transmission() {
        return transmission;
    }

    private void waitFor(Next what, long nanos) {
        next = what;
        if (!leaving) {
            deadline = System.nanoTime() + nanos;
        }
    }

    /**
     * Messages that were held back are leaving, and the socket does not take all of them at once. Nothing else is
     * waited for until they have left: the client has begun the next request, perhaps, but is to read first.
     *
     * @param moved whether it has taken some since this was called last
     */
    final void heldBackLeaves(boolean moved) {
        long now = System.nanoTime();
        if (!leaving) {
            leaving = true;
            leavingSince = now;
            deadline = now + timeouts.idle();
        } else if (moved) {
            deadline = now + timeouts.idle();
        }
    }

    /** All messages that were held back have left. */
    final void heldBackLeft() {
        if (leaving) {
            leaving = false;
            if (next == Next.RECEIVE) {
                resumeReceiving(System.nanoTime() - leavingSince);
            } else if (next == Next.AWAIT) {
                awaitMessage();
            }
        }
    }

    /**
     * Octets have come.
     *
     * @param in the octets; what is not taken has to be offered again when something is to be received again, before
     *           whatever comes later
     */
    final void received(ByteBuffer in) throws IOException {
        if (!draining) {
            take(in);
            return;
        }
        drained += in.remaining();
        in.position(in.limit());
        if (drained > MAX_DRAINED) {
            next = Next.CLOSE;
        }
    }

    /** The peer sends no more. Everything it sent has been answered, or cannot be. */
    final void endOfStream() {
        next = Next.CLOSE;
    }

    /** Is run by whichever thread when a message has been made. Called before the first one. */
    final void awaitedBy(Runnable waiting) {
        driver = waiting;
    }

    /** Notes that the message that is being made is not needed any more. */
    final void unwanted() {
        unwanted = true;
    }

    /** The message is there that has been awaited. */
    final void takeMessage() {
        messageTaken();
    }

    /** There is nothing to receive just now. */
    final void nothingThere() {
        if (finishing && !draining) {
            next = repliedLately ? Next.HALF_CLOSE : Next.CLOSE;
        }
    }

    /** Some of the transmission has been sent. */
    final void sent() throws IOException {
        if (transmission.goesOn()) {
            goOnSending();
        } else {
            messageSent();
            repliedLately = finishing;
        }
    }

    /** {@return whether to close instead of shutting the output down} */
    final boolean closesAtOnce() {
        return closesAtOnce;
    }

    /**
     * Sends the segment that waits for the end of the output, before the driver closes at once: if something has come
     * meanwhile, the close would drop it.
     */
    final void sendEnd() {
        if (delaysEnd) {
            try {
                peer.shutdownOutput();
            } catch (IOException e) {
                LOG.debug("{} has been reset", peer, e);
            }
        }
    }

    /** Called when the output has been shut down; the peer may finish what it is sending. */
    final void halfClosed() {
        draining = true;
        receive(Timeouts.DRAIN);
    }

    /** Where messages go. Called before the first one. */
    final void sendsTo(SocketStream stream) {
        peer = stream;
    }

    /**
     * The deadline has passed: a request that is late may get its refusal, everything else ends at once; but a client
     * that has taken something of what is on its way may go on.
     */
    final void expire() throws IOException {
        if (goesOnSending()) {
            return;
        }
        if (leaving || next != Next.RECEIVE || draining || !refuseLate()) {
            next = Next.CLOSE;
        }
    }

    /** Gives the client more time if it has taken something of what is being sent, and returns whether it has. */
    final boolean goesOnSending() throws IOException {
        boolean moved = (leaving || next == Next.SEND || next == Next.AWAIT) && hasTakenSomething();
        if (moved) {
            deadline = System.nanoTime() + timeouts.idle();
        }
        return moved;
    }

    /**
     * What the system's buffers take is no measure for that: they can hold more than a slow client reads in the whole
     * time. When this is asked for the first time, nothing is known, and it is given the benefit of the doubt.
     */
    private boolean hasTakenSomething() throws IOException {
        long before = acknowledged;
        acknowledged = peer == null ? -1 : peer.acknowledged();
        return acknowledged >= 0 && acknowledged != before;
    }

    /** {@return whether a request boundary has been reached, so that another handler may serve what comes next} */
    final boolean mayMove() {
        return next == Next.RECEIVE && !draining && !leaving && isBetweenRequests();
    }

    /** {@return whether nothing of a request has come since the last message was sent; false unless overridden} */
    protected boolean isBetweenRequests() {
        return false;
    }

    /** No new requests: what is here is answered, then it ends. */
    final void finish() {
        finishing = true;
    }

    final boolean isFinishing() {
        return finishing;
    }

    /** {@return whether what there is not yet to be received is worth waiting for} */
    final boolean mayWait() {
        return !finishing || draining;
    }

    /** The connection is closed. */
    @Override
    public final void close() {
        next = Next.CLOSE;
        closed();
    }
}
