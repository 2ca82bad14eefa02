package dev.sluice.lucene;

import org.apache.lucene.store.OutputStreamIndexOutput;

/** Writes a file of an index. Lucene's class computes the checksum. */
final class SluiceIndexOutput extends OutputStreamIndexOutput {

    /** For single values: what is larger is copied to the block at once. */
    private static final int BUFFER = 8192;

    SluiceIndexOutput(String path, String name, BlockOutput output) {
        super("SluiceIndexOutput(path=\"" + path + "\")", name, output, BUFFER);
    }
}
