package dev.sluice.jna;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Bindings;
import org.junit.jupiter.api.Test;

class JnaBindingProviderTest {

    @Test
    void isFoundAndUsable() {
        assertEquals(Availability.USABLE, new JnaBindingProvider().availability());
        assertEquals("jna", Bindings.current().name());
        assertSame(Bindings.current(), Bindings.current());
    }
}
