package dev.sluice.stages.io;

/** Performs the requests of files. Called by the stage's threads, by one thread at a time for each file. */
interface FilePerformer {

    /**
     * Performs or starts a request. Its completion is a call of {@link FileServing#ended}, possibly before this
     * returns.
     *
     * @param file    the file, for which no other request is in progress
     * @param request the request
     */
    void perform(StagedFile file, FileRequest request);
}
