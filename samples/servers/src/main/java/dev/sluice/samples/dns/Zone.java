package dev.sluice.samples.dns;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The records of a zone. Immutable. */
final class Zone implements Names {

    /** Maximum number of aliases that a reply follows; the client continues with the last one. */
    private static final int MAX_ALIASES = 8;
    /** Offset of the time for negative answers from the end of an SOA record's data. */
    private static final int MINIMUM = 4;

    private final DomainName origin;
    /** The records sent with the absence of a name or a type (RFC 2308 section 3); empty if there are none. */
    private final List<ResourceRecord> absence;
    private final Map<DomainName, List<ResourceRecord>> records = new HashMap<>();
    /** The names that have records, and those above them: they exist, too (RFC 8020). */
    private final Set<DomainName> names = new HashSet<>();

    /**
     * Creates a zone from its records.
     *
     * @param records exactly one of which is of type SOA; all owners are in its owner
     */
    Zone(List<ResourceRecord> records) {
        ResourceRecord authority = records.stream().filter(record -> record.type() == RecordType.SOA)
                .findFirst().orElseThrow();
        origin = authority.owner();
        byte[] data = authority.data();
        absence = List.of(authority.keptFor(ByteBuffer.wrap(data).getInt(data.length - MINIMUM)));
        for (ResourceRecord record : records) {
            this.records.computeIfAbsent(record.owner(), name -> new ArrayList<>()).add(record);
            for (DomainName name = record.owner(); name != null && name.isIn(origin); name = name.parent()) {
                names.add(name);
            }
        }
    }

    DomainName origin() {
        return origin;
    }

    /** {@return the number of records that it has} */
    int size() {
        return records.values().stream().mapToInt(List::size).sum();
    }

    @Override
    public Reply lookUp(DomainName asked, int type) {
        if (!asked.isIn(origin)) {
            return Reply.REFUSED;
        }
        List<ResourceRecord> answers = new ArrayList<>();
        Set<DomainName> followed = new HashSet<>();
        DomainName name = asked;
        DomainName alias = collect(name, type, answers);
        while (alias != null) {
            followed.add(name);
            if (followed.contains(alias)) {
                // Aliases that lead to each other are to be signalled as an error (RFC 1034 section 3.6.2).
                return Reply.FAILED;
            }
            if (followed.size() > MAX_ALIASES || !alias.isIn(origin)) {
                // The remaining aliases are left to further queries, possibly to other servers.
                return new Reply(ResponseCode.NOERROR, answers, List.of());
            }
            name = alias;
            alias = collect(name, type, answers);
        }
        ResponseCode code = names.contains(name) ? ResponseCode.NOERROR : ResponseCode.NXDOMAIN;
        boolean isAnswered = answers.stream().anyMatch(record -> isAskedFor(record, type));
        return new Reply(code, answers, isAnswered ? List.of() : absence);
    }

    /**
     * Collects the records of a name.
     *
     * @return the target of the name's alias, if it is to be followed; otherwise null
     */
    private DomainName collect(DomainName name, int type, List<ResourceRecord> answers) {
        DomainName alias = null;
        for (ResourceRecord record : records.getOrDefault(name, List.of())) {
            boolean isAlias = record.type() == RecordType.CNAME && !isAskedFor(record, type);
            if (isAlias || isAskedFor(record, type)) {
                answers.add(record);
            }
            if (isAlias) {
                alias = target(record);
            }
        }
        return alias;
    }

    private static boolean isAskedFor(ResourceRecord record, int type) {
        return type == RecordType.ANY || record.type().number() == type;
    }

    private static DomainName target(ResourceRecord alias) {
        try {
            return DomainName.read(ByteBuffer.wrap(alias.data()));
        } catch (MalformedMessage e) {
            throw new IllegalStateException("a zone with a malformed alias of " + alias.owner(), e);
        }
    }

    /** {@return for example {@code the zone example.org., 12 records}} */
    @Override
    public String toString() {
        return "the zone " + origin + ", " + size() + " records";
    }
}
