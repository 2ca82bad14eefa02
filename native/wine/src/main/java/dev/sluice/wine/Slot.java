package dev.sluice.wine;

import dev.sluice.calls.layout.KernelTimespec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where one thread of this process asks one thread of the host to make a call; {@code host.c} is the other half. Each
 * counts in a word of its own, this side the requests and that side the answers, and sleeps on the other's after a
 * short spin. Neither reacts to an interrupt, which is left to the caller.
 */
final class Slot {

    static final int SIZE = 256;
    static final int ARGUMENTS = 12;

    private static final int REQUEST = 0;
    private static final int ANSWER = 4;
    private static final int HOST_SLEEPS = 8;
    private static final int CALLER_SLEEPS = 12;
    private static final int FUNCTION = 16;
    private static final int ARGUMENT = 24;
    private static final int RESULT = 120;
    private static final int LAST_ERROR = 128;
    // Lies in the part that the host does not use.
    private static final int NAP = 192;

    private static final int SPINS = 200;
    private static final long NAP_NANOS = 100_000_000;
    private static final VarHandle WORD =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final Win32Host host;
    private final ByteBuffer bytes;
    private final int at;

    Slot(Win32Host host, ByteBuffer region, int at) {
        this.host = host;
        this.bytes = region;
        this.at = at;
        KernelTimespec.set(bytes, at + NAP, NAP_NANOS);
    }

    /**
     * Makes a call; afterwards {@link #lastError} returns its error.
     *
     * @param function  what to call
     * @param arguments at most {@value #ARGUMENTS}
     * @return all 64 bits of the result, however many of them the function sets
     * @throws HostFailure if the host has ended, or does not answer a call that cannot block
     */
    long call(HostFunction function, long... arguments) {
        host.requireUsable(function);
        bytes.putLong(at + FUNCTION, function.pointer());
        for (int i = 0; i < arguments.length; i++) {
            bytes.putLong(at + ARGUMENT + i * Long.BYTES, arguments[i]);
        }
        int request = bytes.getInt(at + REQUEST) + 1;
        WORD.setVolatile(bytes, at + REQUEST, request);
        if (word(HOST_SLEEPS) != 0) {
            futex(REQUEST, LinuxCalls.FUTEX_WAKE, 1);
        }
        awaitAnswer(function, request);
        return bytes.getLong(at + RESULT);
    }

    /** {@return what {@code GetLastError} said after the last call} */
    int lastError() {
        return bytes.getInt(at + LAST_ERROR);
    }

    private void awaitAnswer(HostFunction function, int request) {
        for (int i = 0; i < SPINS && word(ANSWER) != request; i++) {
            Thread.onSpinWait();
        }
        long start = System.nanoTime();
        while (word(ANSWER) != request) {
            WORD.setVolatile(bytes, at + CALLER_SLEEPS, 1);
            if (word(ANSWER) != request) {
                futex(ANSWER, LinuxCalls.FUTEX_WAIT, request - 1);
                host.requireAnswers(function, System.nanoTime() - start);
            }
            WORD.setVolatile(bytes, at + CALLER_SLEEPS, 0);
        }
    }

    private int word(int offset) {
        return (int) WORD.getVolatile(bytes, at + offset);
    }

    // A wait lasts one nap at most, since nothing wakes a thread that waits for a host that has ended.
    private void futex(int offset, long operation, int value) {
        long address = SharedRegion.BASE + at;
        LinuxCalls.syscall(LinuxCalls.SYS_FUTEX, address + offset, operation, value, address + NAP);
    }
}
