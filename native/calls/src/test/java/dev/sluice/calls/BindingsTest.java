package dev.sluice.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.testing.Depth;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The choice is made once per process, so each of these asks a new one. */
class BindingsTest {

    @TempDir
    Path listed;

    @Tag(Depth.IN_QUICK)
    @Test
    void bestUsableOneIsChosenWhateverTheOrderOfTheList() throws Exception {
        list(ListedProvider.Slow.class, ListedProvider.Broken.class, ListedProvider.Fast.class);
        assertEquals(List.of("fast", "fast replaced by decorated"), choice());
    }

    @Test
    void propertyForcesAnother() throws Exception {
        list(ListedProvider.Fast.class, ListedProvider.Slow.class);
        assertEquals("slow", choice("-Dsluice.native=slow").get(0));
    }

    @Test
    void programRequiresOneBeforeAnotherIsInUse() throws Exception {
        list(ListedProvider.Fast.class, ListedProvider.Slow.class);
        assertEquals(List.of("required slow", "slow", "slow replaced by decorated",
                "binding slow: a process has one binding, and uses decorated already; name it before the first handle"
                        + " or loop is opened, or by -Dsluice.native=slow"),
                choice("-Drequired=slow", "-Dsluice.native=fast"));
        assertEquals(List.of("native binding 'quick' is not usable; bindings: fast (usable), slow (usable)"),
                choice("-Drequired=quick"));
    }

    @Test
    void unknownNameIsAnsweredWithTheListOfBindings() throws Exception {
        list(ListedProvider.Slow.class, ListedProvider.Broken.class, ListedProvider.Fast.class);
        assertEquals(List.of("native binding 'quick' of -Dsluice.native is not usable; bindings: "
                + "broken (out of order), fast (usable), slow (usable)"), choice("-Dsluice.native=quick"));
    }

    @Test
    void forcedOneIsNotReplacedByAnotherWhenItCannotBeUsed() throws Exception {
        list(ListedProvider.Fast.class, ListedProvider.Broken.class);
        assertEquals(List.of("native binding 'broken' of -Dsluice.native is not usable; bindings: "
                + "broken (out of order), fast (usable)"), choice("-Dsluice.native=broken"));
    }

    @Test
    void saysWhyTheOnlyOneCannotBeUsed() throws Exception {
        list(ListedProvider.Broken.class);
        assertEquals(List.of("no native binding is usable: broken (out of order)"), choice());
    }

    @Test
    void saysWhatToAddWhereThereIsNone() throws Exception {
        assertEquals(List.of("no native binding is usable: none found: add sluice-native-ffm or sluice-native-jna"),
                choice());
    }

    @Test
    void providerThatDoesNotLoadIsSkipped() throws Exception {
        list(ListedProvider.Torn.class);
        assertEquals(List.of("no native binding is usable: torn (does not load: java.lang.NoClassDefFoundError: "
                + "gone/Part)"), choice());
        list(ListedProvider.Torn.class, ListedProvider.Fast.class);
        assertEquals("fast", choice().get(0));
    }

    @Test
    void skipsQuietlyWhatIsMadeForALaterJavaAndWhatIsMissing() throws Exception {
        list("dev.sluice.calls.Missing", ListedProvider.Future.class.getName(), ListedProvider.Fast.class.getName());
        String file = ListedProvider.Future.class.getName().replace('.', '/') + ".class";
        Path later = listed.resolve(file);
        Files.createDirectories(later.getParent());
        try (InputStream compiled = ListedProvider.class.getResourceAsStream("/" + file)) {
            Files.write(later, ByteBuffer.wrap(compiled.readAllBytes()).putShort(6, (short) 200).array());
        }
        assertEquals(List.of("fast", "fast replaced by decorated"), choice());
    }

    private void list(Class<?>... providers) throws Exception {
        list(Arrays.stream(providers).map(Class::getName).toArray(String[]::new));
    }

    private void list(String... providers) throws Exception {
        Path file = listed.resolve("META-INF/services").resolve(BindingProvider.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, Arrays.stream(providers).collect(Collectors.joining("\n")));
    }

    private List<String> choice(String... options) throws Exception {
        return SmallJvm.run(BindingChoice.class, List.of(listed, CodeLocation.of(Bindings.class),
                CodeLocation.of(BindingChoice.class), CodeLocation.of(LoggerFactory.class)), options);
    }
}
