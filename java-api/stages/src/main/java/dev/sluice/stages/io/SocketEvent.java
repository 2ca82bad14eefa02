package dev.sluice.stages.io;

import dev.sluice.stages.ExpiringEvent;

/**
 * What the socket stages put into an application's queue. Each is one of the types of this package: a switch over them
 * says what is to be done.
 */
public sealed interface SocketEvent extends ExpiringEvent
        permits AsyncConnection, Packet, EndOfInput, ConnectionClosed, PacketSent, OutgoingQueueFull, ConnectFailed,
        ServerSocketClosed {

    @Override
    default boolean isExpired() {
        return false;
    }
}
