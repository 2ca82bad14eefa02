package dev.sluice.stages.io;

import dev.sluice.stages.ExpiringEvent;

/**
 * An event that the socket stages put into an application's queue. Each is one of the types of this package, so a
 * switch can handle all of them.
 */
public sealed interface SocketEvent extends ExpiringEvent
        permits AsyncConnection, Packet, EndOfInput, ConnectionClosed, PacketSent, OutgoingQueueFull, ConnectFailed,
        ServerSocketClosed {

    @Override
    default boolean isExpired() {
        return false;
    }
}
