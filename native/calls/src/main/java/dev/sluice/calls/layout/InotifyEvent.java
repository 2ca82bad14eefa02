package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** An event of inotify; a name may follow, padded with zeros up to the next event. */
@CStruct(value = "struct inotify_event", headers = "sys/inotify.h", on = On.LINUX)
public final class InotifyEvent {

    /** Without the name. */
    public static final int SIZE = 16;
    public static final int WD = 0;
    public static final int MASK = 4;
    public static final int COOKIE = 8;
    public static final int LEN = 12;
    public static final int NAME = 16;

    private InotifyEvent() {
    }

    /** {@return the watch, -1 if the event is about the queue} */
    public static int watch(ByteBuffer memory, int at) {
        return memory.getInt(at + WD);
    }

    /** {@return what has happened, bits of {@link InotifyConstants}} */
    public static int mask(ByteBuffer memory, int at) {
        return memory.getInt(at + MASK);
    }

    /** {@return the number that connects the two events of a renaming} */
    public static int cookie(ByteBuffer memory, int at) {
        return memory.getInt(at + COOKIE);
    }

    /** {@return the length of the name in bytes, including its zeros} */
    public static int length(ByteBuffer memory, int at) {
        return memory.getInt(at + LEN);
    }
}
