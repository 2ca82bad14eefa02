package dev.sluice.samples.dns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The addresses of the hosts file (hosts(5)). Names that are not in it are refused. Immutable. */
final class HostNames implements Names {

    private static final Logger LOG = LoggerFactory.getLogger(HostNames.class);
    /** The file may change at any time. */
    private static final int TTL = 60;

    private final Map<DomainName, List<ResourceRecord>> records = new HashMap<>();

    /** {@return the path of the system's hosts file} */
    static Path file() {
        String windows = System.getenv("SystemRoot");
        return windows == null ? Path.of("/etc/hosts") : Path.of(windows, "System32", "drivers", "etc", "hosts");
    }

    /**
     * Reads the file. Invalid parts of a line are skipped, as by the system.
     *
     * @throws IOException if it cannot be read
     */
    static HostNames read(Path path) throws IOException {
        return parse(new String(Files.readAllBytes(path), StandardCharsets.UTF_8));
    }

    static HostNames parse(String text) {
        HostNames names = new HostNames();
        text.lines().forEach(names::add);
        return names;
    }

    private void add(String line) {
        String[] words = line.replaceFirst("#.*", "").strip().split("\\s+");
        for (int i = 1; i < words.length; i++) {
            try {
                add(DomainName.parse(words[i], DomainName.ROOT), words[0]);
            } catch (IllegalArgumentException e) {
                LOG.debug("skipped in the hosts file: {}", line, e);
            }
        }
    }

    private void add(DomainName name, String address) {
        RecordType type = address.indexOf(':') < 0 ? RecordType.A : RecordType.AAAA;
        byte[] data = type == RecordType.A ? RecordData.ipv4(address) : RecordData.ipv6(address);
        records.computeIfAbsent(name, each -> new ArrayList<>()).add(new ResourceRecord(name, type, TTL, data));
    }

    @Override
    public Reply lookUp(DomainName name, int type) {
        List<ResourceRecord> all = records.get(name);
        if (all == null) {
            return Reply.REFUSED;
        }
        List<ResourceRecord> answers = all.stream()
                .filter(record -> type == RecordType.ANY || record.type().number() == type).toList();
        return new Reply(ResponseCode.NOERROR, answers, List.of());
    }

    /** {@return for example {@code the hosts file, 7 names}} */
    @Override
    public String toString() {
        return "the hosts file, " + records.size() + " names";
    }
}
