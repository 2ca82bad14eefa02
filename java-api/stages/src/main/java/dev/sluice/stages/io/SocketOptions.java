package dev.sluice.stages.io;

import dev.sluice.stages.StageOptions;

/** The limits of {@link SocketStages}, which copy the settings on construction. For use by one thread. */
public final class SocketOptions {

    /** Default maximum number of connections. */
    public static final int CONNECTIONS = 16_384;
    /** Upper limit of the maximum number of connections: each may use two places of the write stage. */
    public static final int MAX_CONNECTIONS = StageOptions.MAX_CAPACITY / 2;
    /** Default maximum number of packets that wait to be sent on a connection. */
    public static final int OUTGOING_PACKETS = 500;
    /** Default maximum number of bytes that wait to be sent on a connection: 256 KiB. */
    public static final int OUTGOING_BYTES = 256 * 1024;

    /**
     * Default maximum number of the proactor's buffers that all connections together retain: half of the proactor's
     * default.
     */
    public static final int DEFAULT_MAX_RETAINED_BUFFERS = 512;

    int connections = CONNECTIONS;
    int outgoingPackets = OUTGOING_PACKETS;
    int outgoingBytes = OUTGOING_BYTES;
    /** In bytes; 0 if the system chooses. */
    int receiveBuffer;
    /** Maximum number of bytes of a packet; 0 for continuous receives. */
    int demand;
    /** 0 for no limit. */
    double packetsPerSecond;
    int burst;
    int maxRetainedBuffers = DEFAULT_MAX_RETAINED_BUFFERS;
    boolean zeroCopy;

    /** Creates the defaults, without a rate. */
    public SocketOptions() {
    }

    /**
     * Sets the maximum number of connections. At the maximum, connecting fails, and peers that connect wait in the
     * system until a connection is closed and its {@link ConnectionClosed} has been delivered.
     *
     * @param maximum the maximum number, from 1 to {@link #MAX_CONNECTIONS}
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public SocketOptions connections(int maximum) {
        connections = checked("connections", maximum, MAX_CONNECTIONS);
        return this;
    }

    /**
     * Sets the maximum number of packets and bytes that may wait to be sent on each connection. A single packet may be
     * larger if no other waits.
     *
     * @param packets at least 1
     * @param bytes   at least 1
     * @return this
     * @throws IllegalArgumentException if one of them is out of range
     */
    public SocketOptions outgoing(int packets, int bytes) {
        outgoingPackets = checked("packets", packets, StageOptions.MAX_CAPACITY);
        outgoingBytes = checked("bytes", bytes, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Sets the size of the system's receive buffer of each accepted connection. It limits the bytes of a peer that the
     * system holds until they are read, and so those of a connection that the application does not read. For
     * connections made by an {@link AsyncClientSocket}, set it on {@link AsyncConnection#stream()}.
     *
     * @param bytes at least 1; systems have their own minimum and maximum, and Linux doubles it for its overhead. By
     *              default the system chooses and adjusts the size
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public SocketOptions receiveBuffer(int bytes) {
        receiveBuffer = checked("receive buffer", bytes, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Receives from a connection only when its application takes packets: each receive is started when fewer packets
     * are waiting than are {@linkplain AsyncConnection#startReading(EventQueue, int) requested}, and delivers one
     * packet. Until then, bytes of the peer stay in the system, so that a connection keeps at most one packet; but an
     * end or a reset by the peer is noticed later, by the next receive or send. Without this option a receive is
     * continuous, which costs less, and received bytes are kept until the application takes them.
     *
     * @param maximum the maximum number of bytes of a packet, from 1 to {@value Packet#MAX_COPIED_BYTES}; each
     *                connection has a buffer of this size
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public SocketOptions receiveOnDemand(int maximum) {
        demand = checked("bytes of a packet", maximum, Packet.MAX_COPIED_BYTES);
        return this;
    }

    /**
     * Sets the maximum number of the proactor's buffers that all connections together may retain while the
     * application's queues are full. Bytes received beyond that are copied, and their connection stops receiving until
     * the application has taken them, so that others on the same proactor can still receive.
     *
     * @param maximum the maximum number, at least 1; should be less than the proactor has, by default 1024
     * @return this
     * @throws IllegalArgumentException if it is out of range
     */
    public SocketOptions maxRetainedBuffers(int maximum) {
        maxRetainedBuffers = checked("retained buffers", maximum, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Lets packets use the proactor's own buffers, instead of copies. Then a packet has all bytes of one receive, at
     * most 256 KiB, and its buffer is released when the handler of the packet returns, unless the packet has been
     * {@linkplain Packet#retain() retained}. The buffers of pending and retained packets count among the {@linkplain
     * #maxRetainedBuffers retained buffers}, and while more than half of these are in use, packets are copies.
     *
     * @return this
     */
    public SocketOptions zeroCopyPackets() {
        zeroCopy = true;
        return this;
    }

    /**
     * Limits the rate at which packets of each connection are received: the rate controller of 4.1. Excess packets stay
     * with the peer. The rate may be exceeded by one packet; the next one is delayed accordingly.
     *
     * @param packets  the number of packets per second, more than 0
     * @param maxBurst the maximum number of packets without a delay, at least 1
     * @return this
     * @throws IllegalArgumentException if one of them is out of range
     */
    public SocketOptions rate(double packets, int maxBurst) {
        if (!(packets > 0) || Double.isInfinite(packets)) {
            throw new IllegalArgumentException("rate: " + packets + ", must be more than 0");
        }
        packetsPerSecond = packets;
        burst = checked("burst", maxBurst, Integer.MAX_VALUE);
        return this;
    }

    private static int checked(String name, int value, int maximum) {
        if (value < 1 || value > maximum) {
            throw new IllegalArgumentException(name + ": " + value + ", must be from 1 to " + maximum);
        }
        return value;
    }
}
