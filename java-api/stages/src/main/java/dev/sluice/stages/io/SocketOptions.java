package dev.sluice.stages.io;

import dev.sluice.stages.StageOptions;

/** The bounds of {@link SocketStages}. They take what has been set when they are made. For one thread. */
public final class SocketOptions {

    /** The most connections, unless told otherwise. */
    public static final int CONNECTIONS = 16_384;
    /** The most connections there can be: each may use two places of the write stage. */
    public static final int MAX_CONNECTIONS = StageOptions.MOST_CAPACITY / 2;
    /** The most packets that wait to be sent on a connection, unless told otherwise. */
    public static final int OUTGOING_PACKETS = 500;
    /** The most bytes that wait to be sent on a connection, unless told otherwise: 256 KiB. */
    public static final int OUTGOING_BYTES = 256 * 1024;

    /** The most buffers of the proactor that all connections keep, unless told otherwise: half of its own. */
    public static final int DEFAULT_MAX_RETAINED_BUFFERS = 512;

    int connections = CONNECTIONS;
    int outgoingPackets = OUTGOING_PACKETS;
    int outgoingBytes = OUTGOING_BYTES;
    /** In bytes; 0 if the system chooses. */
    int receiveBuffer;
    /** The most bytes of a packet; 0 if receives go on by themselves. */
    int demand;
    /** 0 for no limit. */
    double packetsPerSecond;
    int burst;
    int maxRetainedBuffers = DEFAULT_MAX_RETAINED_BUFFERS;
    boolean lending;

    /** The usual bounds, and no rate. */
    public SocketOptions() {
    }

    /**
     * How many connections there are at most. Others wait in the system until one is closed and has been told of, and
     * connecting fails.
     *
     * @param most from 1 to {@link #MAX_CONNECTIONS}
     * @return this
     * @throws IllegalArgumentException if it is out of its range
     */
    public SocketOptions connections(int most) {
        connections = checked("connections", most, MAX_CONNECTIONS);
        return this;
    }

    /**
     * How much may wait to be sent on each connection. A single packet may be larger if none waits.
     *
     * @param packets at least 1
     * @param bytes   at least 1
     * @return this
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public SocketOptions outgoing(int packets, int bytes) {
        outgoingPackets = checked("packets", packets, StageOptions.MOST_CAPACITY);
        outgoingBytes = checked("bytes", bytes, Integer.MAX_VALUE);
        return this;
    }

    /**
     * How much the system may keep of what each accepted connection has received and nobody has taken. It is what a
     * peer can have arrive at once, so it bounds what a connection holds that may not be read from. Connections that
     * are made have to be given theirs by {@link AsyncConnection#stream()}.
     *
     * @param bytes at least 1; systems have least and largest values of their own, and Linux doubles it for what it
     *              needs besides. Unless this is called, the system chooses, and changes it as it sees fit
     * @return this
     * @throws IllegalArgumentException if it is out of its range
     */
    public SocketOptions receiveBuffer(int bytes) {
        receiveBuffer = checked("receive buffer", bytes, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Has a connection be received from only when its application takes packets: each receive is started when there is
     * a packet less than are {@linkplain AsyncConnection#startReading(EventQueue, int) allowed}, and brings one. What a
     * peer sends meanwhile stays in the system, so that a connection keeps no more than a packet, whatever comes; but
     * that the peer has ended or reset it is noticed later, by the next receive or send. Otherwise, a receive goes on
     * by itself, which costs less, and what arrives is kept until the application takes it.
     *
     * @param most how many bytes a packet has at most, from 1 to {@value Packet#MOST_BYTES}; each connection has a
     *             buffer of this size
     * @return this
     * @throws IllegalArgumentException if it is out of its range
     */
    public SocketOptions receiveOnDemand(int most) {
        demand = checked("bytes of a packet", most, Packet.MOST_BYTES);
        return this;
    }

    /**
     * How many buffers of the proactor all connections together may keep for what the application has no room for. What
     * arrives beyond that is copied, and its connection is not received from until the application has taken it; so
     * others on the same proactor can still receive.
     *
     * @param most at least 1; should be less than the proactor has, which by itself is 1024
     * @return this
     * @throws IllegalArgumentException if it is out of its range
     */
    public SocketOptions maxRetainedBuffers(int most) {
        maxRetainedBuffers = checked("retained buffers", most, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Has packets hold the proactor's own buffers, instead of copies. Then a packet is all that one receive has
     * brought, 256 KiB at most, and its bytes go back when the handler that has got it returns, unless it has been
     * {@linkplain Packet#keep() kept}. The buffers of packets that wait, or have been kept, count among the
     * {@linkplain #maxRetainedBuffers retained buffers}, and while more than half of these are in use, packets are
     * copies nevertheless.
     *
     * @return this
     */
    public SocketOptions zeroCopyPackets() {
        lending = true;
        return this;
    }

    /**
     * How many packets each connection may bring: the rate controller of 4.1. What comes faster waits with its peer.
     * The rate is exceeded by one packet, which the next one makes up for by coming so much later.
     *
     * @param packets per second, more than 0
     * @param atOnce  how many may come at once without that, at least 1
     * @return this
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public SocketOptions rate(double packets, int atOnce) {
        if (!(packets > 0) || Double.isInfinite(packets)) {
            throw new IllegalArgumentException("rate: " + packets + ", must be more than 0");
        }
        packetsPerSecond = packets;
        burst = checked("burst", atOnce, Integer.MAX_VALUE);
        return this;
    }

    private static int checked(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(name + ": " + value + ", must be from 1 to " + most);
        }
        return value;
    }
}
