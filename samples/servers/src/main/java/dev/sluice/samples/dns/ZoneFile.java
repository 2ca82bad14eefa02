package dev.sluice.samples.dns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A zone in a master file (RFC 1035 section 5), with {@code $TTL} (RFC 2308 section 4). Includes, wildcards and
 * delegations are rejected: this server does not support them, and would answer wrongly.
 */
final class ZoneFile {

    private static final String INTERNET = "IN";
    private static final List<String> OTHER_CLASSES = List.of("CS", "CH", "HS");

    private final String file;
    private final List<ResourceRecord> records = new ArrayList<>();
    /** The owners of records, and whether that is an alias. */
    private final Map<DomainName, Boolean> aliases = new HashMap<>();
    private DomainName origin;
    private DomainName owner;
    private Integer ttl;

    private ZoneFile(String file) {
        this.file = file;
    }

    /**
     * Reads a zone file.
     *
     * @throws ZoneProblem if it has an error; the message names the line
     * @throws IOException if it cannot be read
     */
    static Zone read(Path path) throws IOException {
        return parse(path.toString(), new String(Files.readAllBytes(path), StandardCharsets.UTF_8));
    }

    static Zone parse(String file, String text) throws ZoneProblem {
        return new ZoneFile(file).zone(ZoneEntry.split(file, text));
    }

    private Zone zone(List<ZoneEntry> entries) throws ZoneProblem {
        for (ZoneEntry entry : entries) {
            try {
                add(entry);
            } catch (IllegalArgumentException e) {
                throw new ZoneProblem(file, entry.line(), e.getMessage());
            }
        }
        requireOneAuthority();
        return new Zone(records);
    }

    private void add(ZoneEntry entry) {
        List<String> words = entry.words();
        String first = words.get(0);
        if (!entry.isOwnerless() && first.startsWith("$")) {
            direct(words);
            return;
        }
        if (!entry.isOwnerless()) {
            owner = first.equals("@") ? requireOrigin() : DomainName.parse(first, origin);
            words = words.subList(1, words.size());
        } else if (owner == null) {
            throw new IllegalArgumentException("the first record has no owner");
        }
        addRecord(words);
    }

    private void direct(List<String> words) {
        String name = words.get(0).toUpperCase(Locale.ROOT);
        if (!name.equals("$ORIGIN") && !name.equals("$TTL")) {
            throw new IllegalArgumentException(words.get(0) + " is not supported, only $ORIGIN and $TTL are");
        }
        if (words.size() != 2) {
            throw new IllegalArgumentException(name + " takes one value");
        }
        if (name.equals("$TTL")) {
            ttl = RecordData.time(words.get(1));
        } else {
            origin = DomainName.parse(words.get(1), origin);
        }
    }

    private DomainName requireOrigin() {
        if (origin == null) {
            throw new IllegalArgumentException("@ stands for the $ORIGIN, and there is none");
        }
        return origin;
    }

    private void addRecord(List<String> words) {
        Integer own = null;
        int at = 0;
        // Class and time come in either order.
        for (; at < words.size() && type(words.get(at)).isEmpty(); at++) {
            String word = words.get(at);
            if (OTHER_CLASSES.contains(word.toUpperCase(Locale.ROOT))) {
                throw new IllegalArgumentException("class " + word + " is not supported, only IN is");
            } else if (RecordData.isTime(word) && own == null) {
                own = RecordData.time(word);
            } else if (!word.equalsIgnoreCase(INTERNET)) {
                throw new IllegalArgumentException("'" + word + "' is not a supported type of record: "
                        + Arrays.toString(RecordType.values()));
            }
        }
        if (at == words.size()) {
            throw new IllegalArgumentException("a record without a type");
        }
        if (own == null && ttl == null) {
            throw new IllegalArgumentException("a record without a time to live, and no $TTL before it");
        }
        RecordType type = type(words.get(at)).orElseThrow();
        List<String> data = words.subList(at + 1, words.size()).stream()
                .map(word -> word.equals("@") && type != RecordType.TXT ? requireOrigin().toString() : word).toList();
        add(new ResourceRecord(owner, type, own != null ? own : ttl, RecordData.parse(type, data, origin)));
    }

    private static Optional<RecordType> type(String word) {
        return Arrays.stream(RecordType.values()).filter(type -> type.name().equalsIgnoreCase(word)).findFirst();
    }

    private void add(ResourceRecord record) {
        DomainName zone = records.isEmpty() ? record.owner() : records.get(0).owner();
        if (records.isEmpty() != (record.type() == RecordType.SOA)) {
            throw new IllegalArgumentException(records.isEmpty()
                    ? "the first record must be of type SOA, which names the zone"
                    : "a second record of type SOA");
        }
        if (!record.owner().isIn(zone)) {
            throw new IllegalArgumentException(record.owner() + " is not in the zone " + zone);
        }
        if (record.owner().toString().startsWith("*.")) {
            throw new IllegalArgumentException(record.owner() + ": wildcards are not supported");
        }
        if (record.type() == RecordType.NS && !record.owner().equals(zone)) {
            throw new IllegalArgumentException(record.owner() + ": delegations are not supported");
        }
        requireAloneIfAlias(record);
        records.add(record);
    }

    /** RFC 1034 section 3.6.2. */
    private void requireAloneIfAlias(ResourceRecord record) {
        boolean isAlias = record.type() == RecordType.CNAME;
        Boolean other = aliases.putIfAbsent(record.owner(), isAlias);
        if (other != null && (isAlias || other)) {
            throw new IllegalArgumentException(record.owner() + " is an alias and has another record");
        }
    }

    private void requireOneAuthority() throws ZoneProblem {
        if (records.isEmpty()) {
            throw new ZoneProblem(file, 0, "no records");
        }
    }
}
