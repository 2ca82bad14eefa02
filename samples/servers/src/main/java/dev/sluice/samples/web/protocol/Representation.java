package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.FileEntry;
import java.util.List;

/**
 * A version of a file in a coding, and the fields of its head. Good for every request that accepts the same codings.
 *
 * @param file    the file; open only for its users
 * @param type    its media type, whatever its coding
 * @param isCoded whether it is in a coding
 * @param fields  names and values of further fields in turn
 */
public record Representation(FileEntry file, String type, boolean isCoded, List<String> fields) {

    /** {@return the number of octets that it has} */
    public long size() {
        return file.stamp().size();
    }

    /** {@return whether the other one is of the same version in the same coding} */
    public boolean isSameAs(Representation other) {
        return file.tag().equals(other.file.tag()) && file.name().equals(other.file.name());
    }
}
