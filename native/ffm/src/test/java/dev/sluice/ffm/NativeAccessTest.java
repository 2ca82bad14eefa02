package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Native;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.SmallJvm;
import dev.sluice.jna.JnaBindingProvider;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What is chosen where native access is not granted to every binding. */
class NativeAccessTest {

    private static final String DENY = "--illegal-native-access=deny";
    private static final String ALLOW = "--enable-native-access=";

    @TempDir
    static Path directory;

    @Test
    @EnabledForJreRange(min = JRE.JAVA_24)
    void deniedOnTheClassPathNoneIsUsable() throws Exception {
        assertEquals(List.of("no native binding is usable: ffm (native access is denied; allow it by "
                + "--enable-native-access=ALL-UNNAMED), jna (JNA does not load: native access is denied; allow it by "
                + "--enable-native-access=ALL-UNNAMED)"), onTheClassPath(DENY));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_24)
    void grantedOnTheClassPathTheBestIsUsed() throws Exception {
        assertEquals("ffm", onTheClassPath(DENY, ALLOW + "ALL-UNNAMED").get(0));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_24)
    void deniedToModulesNoneIsUsable() throws Exception {
        assertEquals(List.of("no native binding is usable: ffm (native access is denied; allow it by "
                + "--enable-native-access=dev.sluice.ffm), jna (JNA does not load: native access is denied; allow it "
                + "by --enable-native-access=com.sun.jna)"), withModules(DENY));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_24)
    void deniedToOneTheOtherIsUsed() throws Exception {
        assertEquals("jna", withModules(DENY, ALLOW + "com.sun.jna").get(0));
        assertEquals("ffm", withModules(DENY, ALLOW + "dev.sluice.ffm").get(0));
    }

    @Test
    void usesTheBindingWithNativeAccess() throws Exception {
        assertEquals("jna", withModules(ALLOW + "com.sun.jna").get(0));
        assertEquals("ffm", withModules(ALLOW + "com.sun.jna,dev.sluice.ffm").get(0));
        String refusal = withModules(ALLOW + "com.sun.jna", "-Dsluice.native=ffm").get(0);
        assertTrue(refusal.startsWith("native binding 'ffm' of -Dsluice.native is not usable; bindings: ffm "
                + "(native access is granted only to com.sun.jna; allow it by --enable-native-access=dev.sluice.ffm), "
                + "jna (usable)"), refusal);
    }

    @Test
    void whereNothingIsSaidTheBestIsUsed() throws Exception {
        assertEquals("ffm", withModules().get(0));
        assertEquals("ffm", onTheClassPath().get(0));
    }

    private static List<String> onTheClassPath(String... options) throws Exception {
        return SmallJvm.run(program(), List.of(CodeLocation.of(FfmBindingProvider.class),
                CodeLocation.of(JnaBindingProvider.class), CodeLocation.of(Bindings.class), CodeLocation.of(program()),
                CodeLocation.of(Native.class), CodeLocation.of(LoggerFactory.class)), options);
    }

    private static List<String> withModules(String... options) throws Exception {
        List<Path> modules = List.of(module("dev.sluice.calls", Bindings.class),
                module("dev.sluice.ffm", FfmBindingProvider.class), module("dev.sluice.jna", JnaBindingProvider.class),
                CodeLocation.of(Native.class), CodeLocation.of(LoggerFactory.class));
        List<String> all = new ArrayList<>(List.of(
                "-p", modules.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                "--add-modules", "dev.sluice.ffm,dev.sluice.jna,org.slf4j",
                "--patch-module", "dev.sluice.calls=" + CodeLocation.of(program())));
        all.addAll(List.of(options));
        return SmallJvm.run(program(), List.of(directory), all.toArray(String[]::new));
    }

    /** The program of another package that says which binding is chosen. */
    private static Class<?> program() throws ClassNotFoundException {
        return Class.forName("dev.sluice.calls.BindingChoice");
    }

    /** Classes in a directory, which have no name as a module before they are compiled as one, in a jar that has. */
    private static Path module(String name, Class<?> type) throws IOException {
        Path classes = CodeLocation.of(type);
        if (!Files.isDirectory(classes)) {
            return classes;
        }
        Path jar = directory.resolve(name + ".jar");
        if (Files.exists(jar)) {
            return jar;
        }
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Automatic-Module-Name"), name);
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                String entry = classes.relativize(each).toString().replace(File.separatorChar, '/');
                if (!entry.equals("META-INF/MANIFEST.MF")) {
                    out.putNextEntry(new JarEntry(entry));
                    Files.copy(each, out);
                }
            }
        }
        return jar;
    }
}
