package dev.sluice.calls.layout;

import dev.sluice.calls.Platform;
import java.nio.ByteBuffer;

/** An event that epoll waits for or reports. Packed only on x86-64, so that 32-bit programs share the layout there. */
@CStruct(value = "struct epoll_event", headers = "sys/epoll.h", on = On.LINUX)
public final class EpollEvent {

    public static final int SIZE = Platform.CURRENT.cpu() == Platform.Cpu.X86_64 ? 12 : 16;
    public static final int EVENTS = 0;
    public static final int DATA = SIZE - 8;

    private EpollEvent() {
    }

    /** Fills in one event. */
    public static void set(ByteBuffer memory, int at, int events, long data) {
        memory.putInt(at + EVENTS, events);
        memory.putLong(at + DATA, data);
    }

    /** {@return the event bits} */
    public static int events(ByteBuffer memory, int at) {
        return memory.getInt(at + EVENTS);
    }

    /** {@return the user data of the registration} */
    public static long data(ByteBuffer memory, int at) {
        return memory.getLong(at + DATA);
    }
}
