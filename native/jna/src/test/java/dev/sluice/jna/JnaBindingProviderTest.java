package dev.sluice.jna;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Native;
import dev.sluice.calls.Availability;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.LoadedClasses;
import dev.sluice.calls.Platform;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JnaBindingProviderTest {

    @Test
    void isFoundAndUsable() {
        assertEquals(Availability.USABLE, new JnaBindingProvider().availability());
        assertEquals("jna", Bindings.current().name());
        assertSame(Bindings.current(), Bindings.current());
    }

    @Test
    void nothingOfAnotherSystemIsLoaded() throws Exception {
        Set<String> loaded = LoadedClasses.of(JnaBindingProvider.class, CodeLocation.of(Native.class));
        assertTrue(loaded.contains(JnaMemory.class.getName()), () -> "loaded: " + loaded);
        assertEquals(Platform.CURRENT.os() == Platform.Os.WINDOWS, loaded.contains("dev.sluice.jna.JnaWindows"));
        assertEquals(Platform.CURRENT.os() != Platform.Os.WINDOWS, loaded.contains("dev.sluice.jna.JnaPosix"));
    }
}
