package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Calls that break a rule: what they throw names the method, the rule and the way out. */
public final class Misuse {

    private Misuse() {
    }

    /** Asserts that the message of what a call throws begins with one text, and contains another. */
    public static void assertThrown(Class<? extends Throwable> type, String rule, String wayOut, Executable call) {
        assertMessage(rule, wayOut, assertThrows(type, call));
    }

    /** Asserts what the message of something thrown says. */
    public static void assertMessage(String rule, String wayOut, Throwable thrown) {
        assertTrue(thrown.getMessage().startsWith(rule), thrown::getMessage);
        assertTrue(thrown.getMessage().contains(wayOut), thrown::getMessage);
    }

    /** Asserts it of an {@link IllegalStateException}. */
    public static void assertRefused(String rule, String wayOut, Executable call) {
        assertThrown(IllegalStateException.class, rule, wayOut, call);
    }
}
