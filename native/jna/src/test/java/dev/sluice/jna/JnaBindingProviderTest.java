package dev.sluice.jna;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Native;
import dev.sluice.calls.Availability;
import dev.sluice.calls.BindingChoice;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.LoadedClasses;
import dev.sluice.calls.Platform;
import dev.sluice.calls.SmallJvm;
import dev.sluice.testing.Depth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Tag(Depth.BINDING)
class JnaBindingProviderTest {

    @Test
    void isFoundAndUsable() {
        assertEquals(Availability.USABLE, new JnaBindingProvider().availability());
        assertEquals("jna", Bindings.current().name());
        assertSame(Bindings.current(), Bindings.current());
    }

    @Test
    void withoutJnaItSaysWhatToAdd() throws Exception {
        List<Path> classPath = Stream.of(JnaBindingProvider.class, Bindings.class, BindingChoice.class,
                LoggerFactory.class).map(CodeLocation::of).toList();
        String found = "jna (JNA is missing: add net.java.dev.jna:jna)";
        assertEquals(List.of("no native binding is usable: " + found), SmallJvm.run(BindingChoice.class, classPath));
        assertEquals(List.of("native binding 'jna' of -Dsluice.native is not usable; bindings: " + found),
                SmallJvm.run(BindingChoice.class, classPath, "-Dsluice.native=jna"));
    }

    @Test
    void withoutATemporaryDirectoryItSaysHowToNameOne(@TempDir Path directory) throws Exception {
        List<Path> classPath = Stream.of(JnaBindingProvider.class, Bindings.class, BindingChoice.class,
                LoggerFactory.class, Native.class).map(CodeLocation::of).toList();
        Path file = Files.createFile(directory.resolve("file"));
        String refusal = SmallJvm.run(BindingChoice.class, classPath, "-Djna.tmpdir=" + file).get(0);
        assertTrue(refusal.startsWith("no native binding is usable: jna (JNA does not load: "), refusal);
        assertTrue(refusal.endsWith("; another temporary directory may help: -Djna.tmpdir=DIRECTORY)"), refusal);
        assertEquals(List.of("jna", "jna replaced by decorated"),
                SmallJvm.run(BindingChoice.class, classPath, "-Djna.tmpdir=" + directory.resolve("a new! one")));
    }

    @Test
    void loadsNothingOfOtherSystems() throws Exception {
        Set<String> loaded = LoadedClasses.of(JnaBindingProvider.class, CodeLocation.of(Native.class));
        assertTrue(loaded.contains(JnaMemory.class.getName()), () -> "loaded: " + loaded);
        assertEquals(Platform.CURRENT.os() == Platform.Os.WINDOWS, loaded.contains("dev.sluice.jna.JnaWindows"));
        assertEquals(Platform.CURRENT.os() != Platform.Os.WINDOWS, loaded.contains("dev.sluice.jna.JnaPosix"));
    }
}
