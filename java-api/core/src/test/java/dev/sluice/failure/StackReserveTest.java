package dev.sluice.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** If a reserve is granted, calls of the promised depth do not overflow the stack, interpreted or compiled. */
class StackReserveTest {

    private static final long STACK_BYTES = 512 * 1024;
    /** The depth of a change that makes a system call, and some more. */
    private static final int CALLS = 24;
    private static final int ENOUGH_TO_COMPILE = 200_000;

    private int granted;
    private int refused;
    private int broken;

    @ParameterizedTest
    @ValueSource(ints = {0, ENOUGH_TO_COMPILE})
    void grantedReserveCanBeUsed(int callsBefore) throws InterruptedException {
        for (int i = 0; i < callsBefore; i++) {
            StackReserve.requireForCall();
        }

        Thread thread = new Thread(null, this::fillStack, "fills its stack", STACK_BYTES);
        thread.start();
        thread.join();

        assertTrue(granted > 0, "granted: " + granted);
        assertTrue(refused > 0, "refused: " + refused);
        assertEquals(0, broken, "granted without being there; granted " + granted + ", refused " + refused);
    }

    private void fillStack() {
        try {
            descend();
        } catch (StackOverflowError e) {
            // Expected.
            return;
        }
    }

    private void descend() {
        try {
            StackReserve.requireForCall();
            granted++;
            if (!hasStackFor(CALLS)) {
                broken++;
            }
        } catch (StackOverflowError e) {
            refused++;
        }
        descend();
    }

    private static boolean hasStackFor(int calls) {
        try {
            return call(calls, 1, 2, 3, 4, 5) != 0;
        } catch (StackOverflowError e) {
            return false;
        }
    }

    private static long call(int left, long a, long b, long c, long d, long e) {
        return left == 0 ? 1 : call(left - 1, b, c, d, e, a) | a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4;
    }
}
