package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.LoadedClasses;
import dev.sluice.calls.Platform;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class FfmBindingProviderTest {

    private static final int JAVA_17 = 61;
    private static final int JAVA_22 = 66;

    @Test
    void isFoundAndUsable() {
        assertEquals(Availability.USABLE, new FfmBindingProvider().availability());
        assertEquals("ffm", Bindings.current().name());
        assertSame(Bindings.current(), Bindings.current());
    }

    @Test
    void onlyTheProviderAndTheModuleLoadOnJava17() throws IOException {
        assertEquals(JAVA_17, classFileVersion("dev/sluice/ffm/FfmBindingProvider.class"));
        assertEquals(JAVA_17, classFileVersion("module-info.class"));
        assertEquals(JAVA_22, classFileVersion("dev/sluice/ffm/FfmBinding.class"));
    }

    @Test
    void loadsNothingOfOtherSystems() throws Exception {
        Set<String> loaded = LoadedClasses.of(FfmBindingProvider.class);
        assertTrue(loaded.contains(FfmMemory.class.getName()), () -> "loaded: " + loaded);
        assertEquals(Platform.CURRENT.os() == Platform.Os.WINDOWS, loaded.contains("dev.sluice.ffm.FfmWindows"));
        assertEquals(Platform.CURRENT.os() != Platform.Os.WINDOWS, loaded.contains("dev.sluice.ffm.FfmPosix"));
    }

    private static int classFileVersion(String file) throws IOException {
        byte[] bytes = Files.readAllBytes(CodeLocation.of(FfmBindingProvider.class).resolve(file));
        return ByteBuffer.wrap(bytes).getShort(6);
    }
}
