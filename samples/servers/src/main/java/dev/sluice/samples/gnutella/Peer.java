package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.handshake.Handshake;
import dev.sluice.samples.gnutella.message.MessageDecoder;
import dev.sluice.stages.io.AsyncConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connection to another servent: first both greet, then they are neighbours, then one of them leaves. The server
 * stage reads it, and the router stage writes to it.
 */
final class Peer {

    /** The state of a connection. */
    enum State {
        /** The handshake is not over. */
        GREETING,
        /** Messages come and go. */
        NEIGHBOUR,
        /** It will be closed once its output has been sent. */
        LEAVING
    }

    private final long number;
    private final AsyncConnection connection;
    private final Candidate candidate;
    private final Outbox outbox;
    private final InetAddress ourAddress;
    private final boolean local;
    private final AtomicReference<State> state = new AtomicReference<>(State.GREETING);
    private volatile boolean knowsBye;
    /** When to disconnect it, by {@link System#nanoTime()}; only while it is no neighbour. */
    private volatile long deadline;

    // Of the server stage

    private final Handshake handshake;
    private MessageDecoder decoder;
    private boolean refused;
    private boolean heard;
    /** Since when it has been silent, or has been asked, as far as the looks can tell, by {@link System#nanoTime()}. */
    private long silentSince;
    private boolean asked;

    /**
     * Begins with the handshake.
     *
     * @param number     that no other one has or will have
     * @param connection which is open
     * @param candidate  whom it was connected to; null if it has connected itself
     * @param handshake  its beginning
     * @param deadline   for the handshake, by {@link System#nanoTime()}
     * @param outbox     what waits for it
     */
    Peer(long number, AsyncConnection connection, Candidate candidate, Handshake handshake, long deadline,
         Outbox outbox) {
        this.number = number;
        this.connection = connection;
        this.candidate = candidate;
        this.handshake = handshake;
        this.deadline = deadline;
        this.outbox = outbox;
        ourAddress = address(() -> connection.stream().localAddress());
        InetAddress its = address(connection::remoteAddress);
        local = its != null && its.isLoopbackAddress();
    }

    private static InetAddress address(Callable<SocketAddress> asked) {
        try {
            return asked.call() instanceof InetSocketAddress inet ? inet.getAddress() : null;
        } catch (Exception e) {
            // It is closed already, and its address is not needed any more.
            return null;
        }
    }

    long number() {
        return number;
    }

    AsyncConnection connection() {
        return connection;
    }

    /** {@return whom it was connected to; null if it has connected itself} */
    Candidate candidate() {
        return candidate;
    }

    Outbox outbox() {
        return outbox;
    }

    /** {@return the address of this machine that it has to do with; null if it was closed at once} */
    InetAddress ourAddress() {
        return ourAddress;
    }

    /** {@return whether it is on this machine} */
    boolean isLocal() {
        return local;
    }

    boolean is(State expected) {
        return state.get() == expected;
    }

    /** The handshake is over. */
    void welcome(boolean wantsBye) {
        knowsBye = wantsBye;
        state.compareAndSet(State.GREETING, State.NEIGHBOUR);
    }

    /**
     * It is to leave.
     *
     * @param farewell why
     * @param by when to disconnect it, by {@link System#nanoTime()}
     * @return whether it was a neighbour until now
     */
    boolean dismiss(ByeReason farewell, long by) {
        if (!is(State.NEIGHBOUR)) {
            return false;
        }
        deadline = by;
        if (!state.compareAndSet(State.NEIGHBOUR, State.LEAVING)) {
            return false;
        }
        outbox.close(knowsBye && farewell != ByeReason.ITS_OWN ? farewell.bye() : null);
        return true;
    }

    /** Closes it before it has become a neighbour. */
    void turnAway(long by) {
        deadline = by;
        state.set(State.LEAVING);
        connection.closeAfterSending(Outbox.LINGER);
    }

    /** {@return whether it has been greeting, or leaving, for too long} */
    boolean isOverdue(long now) {
        return state.get() != State.NEIGHBOUR && now - deadline > 0;
    }

    // For the server stage

    Handshake handshake() {
        return handshake;
    }

    MessageDecoder decoder() {
        return decoder;
    }

    void setDecoder(MessageDecoder newDecoder) {
        decoder = newDecoder;
    }

    /** {@return whether it, or we, did not want to} */
    boolean isRefused() {
        return refused;
    }

    void setRefused() {
        refused = true;
    }

    /** Records that it has sent something. */
    void heard() {
        heard = true;
    }

    /**
     * {@return how long it has sent nothing since it was heard, or asked, in nanoseconds, as far as calls of this
     * method can tell}
     */
    long silence(long now) {
        if (heard) {
            heard = false;
            asked = false;
            silentSince = now;
        }
        return now - silentSince;
    }

    /** {@return whether it has been asked if it is still there, and has sent nothing since} */
    boolean isAsked() {
        return asked;
    }

    /** Notes that a ping is sent to the peer: its silence begins again at this time. */
    void setAsked(long now) {
        asked = true;
        silentSince = now;
    }

    /** {@return the connection's description} */
    @Override
    public String toString() {
        return connection.toString();
    }
}
