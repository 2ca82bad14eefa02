package dev.sluice.calls.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Linux;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Posix;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** On some distributions the C library is musl. What its headers declare {@link AbiTest} compares. */
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class MuslTest {

    /** How system calls without a function of their own are made. */
    private static final String SYSCALL = "syscall";

    @Test
    void exportsEveryFunctionThatABindingLooksUp() throws Exception {
        Path library = Path.of("/lib/ld-musl-" + Platform.CURRENT.cpu().title() + ".so.1");
        require(Files.exists(library), "no musl here: no " + library);
        Set<String> lacking = new TreeSet<>(lookedUp());
        // A listing that is not understood lists nothing, and then all of them are lacking.
        lacking.removeAll(exported(library));
        assertEquals(Set.of(), lacking);
    }

    private static List<String> lookedUp() {
        return Stream.concat(Stream.of(SYSCALL), Stream.of(Posix.class, Linux.class)
                .flatMap(family -> Arrays.stream(family.getDeclaredMethods()))
                .filter(method -> !method.isAnnotationPresent(Undeclared.class))
                .map(method -> method.getName())).toList();
    }

    private static Set<String> exported(Path library) throws Exception {
        List<String> command = List.of("readelf", "--dyn-syms", "--wide", library.toString());
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            require(false, "no readelf on the PATH");
            throw e;
        }
        process.getOutputStream().close();
        String listing = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), listing);
        // Number, value, size, type, binding, visibility, section and name; what is undefined it wants from others.
        return listing.lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(column -> column.length == 8 && column[3].equals("FUNC") && !column[6].equals("UND"))
                .map(column -> column[7])
                .collect(Collectors.toSet());
    }

    private static void require(boolean isThere, String reason) {
        if (!isThere) {
            System.out.println("MuslTest skipped: " + reason);
        }
        assumeTrue(isThere, reason);
    }
}
