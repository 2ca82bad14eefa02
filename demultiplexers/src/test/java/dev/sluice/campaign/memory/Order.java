package dev.sluice.campaign.memory;

import java.nio.ByteBuffer;

/** What a client wants of the {@link ScarceServer}. A message is an order with an argument, and is sent back. */
enum Order {

    /** Nothing else. */
    ECHO,
    /** A hook fails as hooks do. */
    FAIL,
    /** A hook allocates objects until it cannot. */
    EXHAUST_HEAP,
    /** A hook allocates direct buffers until it cannot. */
    EXHAUST_DIRECT,
    /** There is no heap for a while, but for as many bytes as the argument says. */
    HOARD_HEAP,
    /** There is no direct memory for a while, but for as many bytes as the argument says. */
    HOARD_DIRECT,
    /** The server ends. */
    STOP;

    /** How many bytes a message has. */
    static final int SIZE = 16;

    private static final int ORDER = 0;
    private static final int ARGUMENT = 4;
    private static final int NUMBER = 8;
    private static final Order[] ALL = values();

    /** {@return a message} */
    byte[] message(int argument, long number) {
        return ByteBuffer.allocate(SIZE).putInt(ORDER, ordinal()).putInt(ARGUMENT, argument).putLong(NUMBER, number)
                .array();
    }

    static Order of(ByteBuffer message) {
        return ALL[message.getInt(ORDER)];
    }

    static int argument(ByteBuffer message) {
        return message.getInt(ARGUMENT);
    }
}
