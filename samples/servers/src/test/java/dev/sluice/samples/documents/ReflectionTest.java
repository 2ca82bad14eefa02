package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.ModuleList;
import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Classes of the library that look up types or members by name. The builder of a native image sees those whose
 * arguments are constants; each of the others has to be in the metadata of its module ({@code META-INF/native-image}),
 * which a test there compares with the code.
 */
class ReflectionTest {

    private static final Pattern LOOK_UP = Pattern.compile("Class\\.forName\\(|\\.getDeclared[A-Z]\\w+\\("
            + "|\\.getMethods?\\(|\\.getConstructors?\\(|newProxyInstance\\(|\\.getResource\\w*\\("
            + "|\\.find(?:Static|Virtual|VarHandle|Constructor|Special)\\(|Native\\.(?:load|register)\\(");

    private static final Set<String> CONSTANT = Set.of(
            "handleset.Member", "operation.OperationSlot", "operation.PooledBuffer",
            "system.VirtualThreads", "ffm.Downcall", "jna.JnaBindingProvider");

    private static final Set<String> IN_METADATA = Set.of(
            "ffm.BufferAddress", "ffm.CLibrary", "ffm.Failure", "jna.ArenaScope", "jna.CLibrary",
            "jna.JnaVariadicPosix", "jna.JnaWindows", "signal.VirtualMachineSignals");

    @Test
    void isKnownToTheBuilderOfNativeImages() throws IOException {
        Set<String> known = new TreeSet<>(CONSTANT);
        known.addAll(IN_METADATA);
        Set<String> found = new TreeSet<>();
        for (String module : ModuleList.all(Repository.root())) {
            if (!module.startsWith("samples/")) {
                collect(Repository.root().resolve(module).resolve("src/main/java"), found);
            }
        }
        assertEquals(known, found);
    }

    /** By package and name. */
    private static void collect(Path sources, Set<String> found) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        for (Path file : files) {
            if (LOOK_UP.matcher(Files.readString(file)).find()) {
                found.add(file.getParent().getFileName() + "." + file.getFileName().toString().replace(".java", ""));
            }
        }
    }
}
