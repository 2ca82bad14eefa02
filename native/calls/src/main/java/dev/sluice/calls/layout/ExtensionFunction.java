package dev.sluice.calls.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The functions of which each Winsock provider has its own version: {@code WSAIoctl} with
 * {@code SIO_GET_EXTENSION_FUNCTION_POINTER} returns the pointer for one of these identifiers.
 */
public enum ExtensionFunction {
    /** Accepts a connection into an existing socket. */
    ACCEPT_EX("f17d36b5accbcf1195ca00805f48a192"),
    /** Finds the two addresses in what {@link #ACCEPT_EX} has written. */
    GET_ACCEPT_EX_SOCKADDRS("f27d36b5accbcf1195ca00805f48a192"),
    /** Sends a file. */
    TRANSMIT_FILE("f07d36b5accbcf1195ca00805f48a192"),
    /** Connects a bound socket. */
    CONNECT_EX("b907a225f3dd60468ee976e58c74063e");

    /** The size of an identifier ({@code GUID}) in bytes. */
    public static final int SIZE = 16;

    private final long first;
    private final long second;

    ExtensionFunction(String bytes) {
        first = Long.parseUnsignedLong(bytes, 0, 16, 16);
        second = Long.parseUnsignedLong(bytes, 16, 32, 16);
    }

    /** Writes the identifier's bytes. */
    public void writeTo(ByteBuffer memory, int at) {
        // The identifiers are written above in byte order.
        ByteBuffer bytes = memory.duplicate().order(ByteOrder.BIG_ENDIAN);
        bytes.putLong(at, first);
        bytes.putLong(at + Long.BYTES, second);
    }
}
