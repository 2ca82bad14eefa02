package dev.sluice.benchmarks.lucene;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.util.BytesRef;

/** Reads the texts of random documents, as for a page of results: prefetches all of them, and then reads each. */
public final class DocumentsWorkload extends SearchWorkload {

    /** The documents of a query. */
    static final int DOCUMENTS = 32;
    private static final VarHandle NUMBER =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    /** A text and its surroundings are read by few reads. */
    private static final int BUFFER = 16 * 1024;

    /**
     * Opens the index.
     *
     * @param arguments see {@link SearchWorkload#arguments}
     * @throws IOException if that fails
     */
    public DocumentsWorkload(List<String> arguments) throws IOException {
        super(Questions.DOCUMENTS, BUFFER, arguments);
    }

    @Override
    void query(SplittableRandom random, boolean checked) throws IOException {
        StoredFields fields = reader().storedFields();
        int[] documents = random.ints(DOCUMENTS, 0, reader().maxDoc()).toArray();
        for (int document : documents) {
            fields.prefetch(document);
        }
        for (int document : documents) {
            BytesRef text = fields.document(document).getBinaryValue(SearchedIndex.TEXT);
            int found = (int) NUMBER.get(text.bytes, text.offset);
            if (found != document || text.length != SearchedIndex.textBytes(document)) {
                throw new IOException("document " + document + " has the text of " + found);
            }
            if (checked && document == documents[0] && !Arrays.equals(SearchedIndex.text(document), 0, text.length,
                    text.bytes, text.offset, text.offset + text.length)) {
                throw new IOException("document " + document + " has another text");
            }
        }
    }
}
