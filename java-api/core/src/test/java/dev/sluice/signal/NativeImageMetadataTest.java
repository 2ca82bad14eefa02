package dev.sluice.signal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.NativeImageMetadata;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The types that this module looks up by name are in its metadata for native images. */
class NativeImageMetadataTest {

    /** As in a class file, where names of other types have slashes. */
    private static final Pattern NAME = Pattern.compile("(?:sun\\.misc|java\\.lang)\\.\\w+");

    private final NativeImageMetadata metadata = NativeImageMetadata.of("sluice-core");

    @Test
    void eachTypeThatIsLookedUpIsListed() throws Exception {
        try (InputStream in = VirtualMachineSignals.class.getResourceAsStream("VirtualMachineSignals.class")) {
            Set<String> names = NAME.matcher(new String(in.readAllBytes(), ISO_8859_1)).results()
                    .map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
            assertEquals(names, metadata.types());
        }
        assertEquals(Set.of("sun.misc.SignalHandler"), metadata.proxies());
    }

    @Test
    void membersThatAreListedAreThere() throws Exception {
        metadata.requireMembers();
    }
}
