package dev.sluice.samples.gnutella.message;

/** What a message is, by the third field of its header, and how long the payload of such a one can be. */
public enum MessageType {

    /** Asks who is there. It has no payload in 0.4; later ones may have an extension. */
    PING(0x00, 0, MessageType.USUAL),
    /** Tells an address: port, IP, number of files, kilobytes. */
    PONG(0x01, 14, MessageType.USUAL),
    /** Says goodbye, with a code and a reason. */
    BYE(0x02, 2, MessageType.USUAL),
    /** Asks a servent that cannot be connected to for a file: servent id, index, IP, port. */
    PUSH(0x40, 26, MessageType.USUAL),
    /** Asks for files: the least speed, and a text that ends with a zero. */
    QUERY(0x80, 3, MessageType.MAX_PAYLOAD),
    /** Answers a query: count, port, IP, speed, results, and last the servent id. */
    QUERY_HITS(0x81, 27, MessageType.MAX_PAYLOAD);

    /** The longest payload that any message can have: 64 KiB. */
    public static final int MAX_PAYLOAD = 64 * 1024;
    /** Messages should not be longer than this: 4 KiB. */
    public static final int USUAL = 4 * 1024;

    private static final MessageType[] BY_CODE = new MessageType[1 << Byte.SIZE];

    static {
        for (MessageType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;
    private final int minimum;
    private final int maximum;

    MessageType(int code, int minimum, int maximum) {
        this.code = code;
        this.minimum = minimum;
        this.maximum = maximum;
    }

    /**
     * Finds a type.
     *
     * @param code from 0 to 255
     * @return the type, or null if there is none
     */
    static MessageType of(int code) {
        return BY_CODE[code];
    }

    int code() {
        return code;
    }

    /** {@return whether a payload can have this length in bytes} */
    boolean allows(int length) {
        return length >= minimum && length <= maximum;
    }

    /** {@return whether it is sent to all neighbours, instead of back the way of an earlier message} */
    public boolean isBroadcast() {
        return this == PING || this == QUERY;
    }
}
