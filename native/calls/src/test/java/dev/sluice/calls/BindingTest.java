package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class BindingTest {

    private final Binding binding = new NoMemory().binding("bare");

    @Test
    void saysWhichCallsThePlatformLacks() {
        assertEquals(Platform.CURRENT.os().title() + " has no POSIX calls",
                assertThrows(UnsupportedOperationException.class, binding::posix).getMessage());
        assertEquals(Platform.CURRENT.os().title() + " has no Linux calls",
                assertThrows(UnsupportedOperationException.class, binding::linux).getMessage());
    }

    @Test
    void isNamed() {
        assertEquals("bare", binding.name());
        assertEquals("bare", binding.toString());
    }
}
